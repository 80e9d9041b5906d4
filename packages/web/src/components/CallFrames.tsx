import { useMemo, useState } from 'react'
import { hexToBigInt } from 'viem'
import { formatInteger } from '../format/amount.ts'
import { amountsOf, commonAbis, decodeCall, decodeOutput, decodeRevert, isOfToken } from '../lib/abi/decode.ts'
import { methodLabel } from '../lib/abi/selectors.ts'
import { type CallFrame, consoleAddress, type FrameItem, itemsOf, openDepthOf } from '../lib/chain/trace.ts'
import { useFamiliarAbi } from '../lib/contracts/abi.ts'
import { useToken } from '../lib/contracts/token.ts'
import { Amount } from '../ui/Amount.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Meter } from '../ui/charts/Meter.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Account } from './Account.tsx'
import { EventRow, indent, WriteRow } from './FrameRows.tsx'
import { ShortValues, Value, Values } from './Values.tsx'

/** Calls as a tree, with their events and what they wrote where the trace has them. */
export function CallFrames({ root }: { root: CallFrame }) {
  const openDepth = useMemo(() => openDepthOf(root), [root])
  return (
    <ul aria-label="Calls" className="relative overflow-x-auto py-1.5">
      <Frame frame={root} depth={0} openDepth={openDepth} total={Number(root.gasUsed)} />
    </ul>
  )
}

/** How many things of one call are shown at first, and with each click. */
const pageSize = 100

type FrameProps = { frame: CallFrame; depth: number; openDepth: number; total: number }

function Frame({ frame, depth, openDepth, total }: FrameProps) {
  const [isOpen, setOpen] = useState(depth < openDepth)
  const [shown, setShown] = useState(pageSize)
  const [showsDetails, setShowsDetails] = useState(false)
  const known = useFamiliarAbi(frame.to)
  const { data: token } = useToken(frame.to)
  const { type, to, input, value, error, gasUsed } = frame
  const items = useMemo(() => itemsOf(frame), [frame])
  const abis = [...(known ? [known] : []), ...commonAbis]
  const isCreate = type.startsWith('CREATE')
  const call = isCreate ? undefined : decodeCall(abis, input)
  const returned = frame.output && !isCreate && !error ? decodeOutput(abis, input, frame.output) : undefined
  const unit = isOfToken(call?.name) ? (token ?? undefined) : undefined
  const isLog = to === consoleAddress
  const hasData = frame.output !== undefined && frame.output.length >= 10
  const reason = error && (frame.revertReason ?? (hasData ? decodeRevert(abis, frame.output ?? '0x') : error))
  const wei = value ? hexToBigInt(value) : 0n
  return (
    <li>
      <div
        className="group flex min-h-8 min-w-max items-center gap-2 pr-3 hover:bg-raised"
        style={{ paddingLeft: depth * indent + 8 }}
      >
        <button
          type="button"
          aria-label={`${isOpen ? 'Collapse' : 'Expand'} calls of ${call?.name ?? type}`}
          aria-expanded={isOpen}
          className={`rounded p-0.5 text-soft ${items.length === 0 ? 'invisible' : ''}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
        <Badge tone={error ? 'bad' : type === 'STATICCALL' ? 'neutral' : 'accent'}>{type}</Badge>
        {isLog ? <span className="text-soft">console</span> : to && <Account address={to} />}
        <button
          type="button"
          className="hex rounded hover:underline"
          aria-expanded={showsDetails}
          onClick={() => setShowsDetails(!showsDetails)}
        >
          {isLog ? 'log' : isCreate ? 'constructor' : (call?.name ?? methodLabel(to ?? null, input))}
        </button>
        {call && <ShortValues values={call.values} unit={unit} />}
        {returned && returned.length > 0 && (
          <>
            <span className="text-soft">→</span>
            <ShortValues values={amountsOf(call?.name, returned)} unit={unit} />
          </>
        )}
        {wei > 0n && <Amount value={wei} />}
        {reason && (
          <span className="max-w-xl truncate text-bad text-xs" title={reason}>
            {reason}
          </span>
        )}
        <span className="ml-auto flex items-center gap-2 pl-4">
          <span className="w-14">
            <Meter value={Number(gasUsed)} max={total} label="Share of the gas" />
          </span>
          <span className="number w-20 text-right text-soft text-xs">{formatInteger(hexToBigInt(gasUsed))}</span>
        </span>
      </div>
      {showsDetails && (
        <div
          className="my-1 mr-3 max-w-4xl space-y-2 rounded-md border border-line bg-page p-2.5 text-xs"
          style={{ marginLeft: depth * indent + 32 }}
        >
          {call ? <Values values={call.values} /> : <Value type="bytes" value={input} />}
          {frame.output && (
            <p className="break-all">
              <span className="text-soft">Return data </span>
              <span className="hex">{frame.output}</span>
            </p>
          )}
        </div>
      )}
      {isOpen && items.length > 0 && (
        <ul>
          {items.slice(0, shown).map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what a call did has a fixed order
            <Item key={index} item={item} depth={depth + 1} openDepth={openDepth} total={total} />
          ))}
          {items.length > shown && (
            <li style={{ paddingLeft: (depth + 1) * indent + 8 }}>
              <Button tone="quiet" onClick={() => setShown(shown + pageSize)}>
                Show {formatInteger(Math.min(pageSize, items.length - shown))} more of {formatInteger(items.length)}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

function Item({ item, ...rest }: { item: FrameItem } & Omit<FrameProps, 'frame'>) {
  switch (item.type) {
    case 'call':
      return <Frame frame={item.call} {...rest} />
    case 'log':
      return <EventRow log={item.log} depth={rest.depth} />
    case 'write':
      return <WriteRow write={item.write} depth={rest.depth} />
  }
}
