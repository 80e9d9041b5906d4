import type { ReactNode } from 'react'
import { shorten } from '../format/hash.ts'
import { commonAbis, decodeLog, isOfToken } from '../lib/abi/decode.ts'
import type { FrameLog, FrameWrite } from '../lib/chain/trace.ts'
import { useFamiliarAbi } from '../lib/contracts/abi.ts'
import { slotChanges } from '../lib/contracts/slotChanges.ts'
import { useSlotVariables } from '../lib/contracts/slotVariables.ts'
import { useToken } from '../lib/contracts/token.ts'
import { Badge } from '../ui/Badge.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'
import { ShortValues } from './Values.tsx'

/** How far each level of a trace is moved to the right, in pixels. */
export const indent = 18

/** An event, where its call emitted it. */
export function EventRow({ log, depth }: { log: FrameLog; depth: number }) {
  const known = useFamiliarAbi(log.address)
  const { data: token } = useToken(log.address)
  const event = decodeLog([...(known ? [known] : []), ...commonAbis], log)
  return (
    <Row depth={depth} badge={<Badge tone="good">EVENT</Badge>}>
      <span className="hex">{event?.name ?? shorten(log.topics[0] ?? '0x')}</span>
      {event ? (
        <ShortValues values={event.values} unit={isOfToken(event.name) ? (token ?? undefined) : undefined} />
      ) : (
        <span className="text-soft text-xs">unknown event</span>
      )}
    </Row>
  )
}

/** A slot that a call wrote, by the names of its variables. */
export function WriteRow({ write, depth }: { write: FrameWrite; depth: number }) {
  const variables = useSlotVariables(write.address)
  return slotChanges(write.slot, write.before, write.after, variables.get(write.slot)).map(({ name, ...change }) => (
    <Row key={name} depth={depth} badge={<Badge tone="warn">WRITE</Badge>}>
      <span className="hex" title={write.slot}>
        {name}
      </span>
      <span className="hex flex items-center gap-2 text-xs">
        <BeforeAfter {...change} />
      </span>
    </Row>
  ))
}

function Row({ depth, badge, children }: { depth: number; badge: ReactNode; children: ReactNode }) {
  return (
    <li
      className="flex min-h-7 min-w-max items-center gap-2 pr-3 hover:bg-raised"
      style={{ paddingLeft: depth * indent + 32 }}
    >
      {badge}
      {children}
    </li>
  )
}
