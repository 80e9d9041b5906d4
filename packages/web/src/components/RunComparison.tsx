import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { formatCount, formatInteger } from '../format/amount.ts'
import { type ComparedRun, type ComparedStep, type Comparison, useComparison } from '../lib/chain/comparison.ts'
import { slotChanges } from '../lib/contracts/slotChanges.ts'
import { useSlotVariables } from '../lib/contracts/slotVariables.ts'
import { Badge } from '../ui/Badge.tsx'
import { Facts } from '../ui/Facts.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Account } from './Account.tsx'
import { SlotHistory } from './SlotHistory.tsx'

/** `own`: what the first run is called in a sentence. */
type Props = { a: ComparedRun; b: ComparedRun; titles: readonly [ReactNode, ReactNode]; own: string }

/** Two runs side by side: where they differ, and the values that made it. */
export function RunComparison({ a: first, b: second, titles, own }: Props) {
  const query = useComparison(first, second)
  return (
    <Loaded query={query} what="comparison" rows={6}>
      {({ a, b, firstDifference, read, slots }) => (
        <>
          <div className="grid gap-3 lg:grid-cols-2">
            <Side title={titles[0]} outcome={a} step={firstDifference?.a} differs={firstDifference !== null} />
            <Side title={titles[1]} outcome={b} step={firstDifference?.b} differs={firstDifference !== null} />
          </div>
          <Panel title="Why they differ" padded>
            <Reason firstDifference={firstDifference} read={read} slots={slots.length} own={own} />
          </Panel>
          {slots.length > 0 && (
            <Panel title="What they wrote" note={formatCount(slots.length, 'slot')}>
              <ul className="divide-y divide-line">
                {slots.map((slot) => (
                  <WrittenSlot key={slot.address + slot.slot} {...slot} />
                ))}
              </ul>
            </Panel>
          )}
        </>
      )}
    </Loaded>
  )
}

type SideProps = {
  title: ReactNode
  outcome: Comparison['a']
  step: ComparedStep | null | undefined
  differs: boolean
}

function Side({ title, outcome, step, differs }: SideProps) {
  return (
    <Panel
      title={title}
      actions={
        <Badge tone={outcome.status === 'success' ? 'good' : 'bad'}>
          {outcome.status === 'success' ? 'succeeded' : 'failed'}
        </Badge>
      }
    >
      <Facts
        rows={[
          ['Gas used', formatInteger(outcome.gasUsed)],
          ['Calls, events', `${formatInteger(outcome.calls)}, ${formatInteger(outcome.logs)}`],
          [
            'Output',
            <span key="output" className="hex break-all">
              {outcome.output.length > 202 ? `${outcome.output.slice(0, 202)}…` : outcome.output}
            </span>,
          ],
          ...(differs
            ? [['Then runs', step ? <StepLocation key="location" {...step} /> : 'nothing: it has ended'] as const]
            : []),
        ]}
      />
    </Panel>
  )
}

type LocationProps = Pick<ComparedStep, 'operation' | 'file' | 'line' | 'function' | 'address'>

/** An operation with its line, or its contract where no lines are known. */
function StepLocation({ operation, file, line, function: name, address }: LocationProps) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <code>{operation}</code>
      {file === null ? (
        <Account address={address as Address} />
      ) : (
        <>
          {name !== null && <code className="font-medium">{name}</code>}
          <code className="break-all text-soft text-xs">
            {file}:{line}
          </code>
        </>
      )}
    </span>
  )
}

type ReasonProps = Pick<Comparison, 'firstDifference' | 'read'> & { slots: number; own: string }

function Reason({ firstDifference, read, slots, own }: ReasonProps) {
  return (
    <div className="space-y-3 text-sm">
      {firstDifference ? (
        <div>
          They run the same {formatCount(firstDifference.index, 'operation')}
          {firstDifference.before ? (
            <>
              , and differ after <StepLocation {...firstDifference.before} />
            </>
          ) : (
            '.'
          )}
        </div>
      ) : (
        <p>Both run the same operations{read || slots > 0 ? ', with other values.' : ' with the same values.'}</p>
      )}
      {read && <FirstValue read={read} own={own} />}
    </div>
  )
}

/** The first value that both read and that differs; with those who wrote it, if it is in a slot. */
function FirstValue({ read, own }: { read: NonNullable<Comparison['read']>; own: string }) {
  const account = read.account as Address
  const slot = read.operation === 'SLOAD' ? (read.key as Hex) : undefined
  const name = useSlotName(account, slot) ?? read.key ?? ''
  return (
    <div className="space-y-2">
      <div>
        The first value that differs is read by <StepLocation {...read} />
      </div>
      <Facts
        rows={[
          ['Account', <Account key="account" address={account} />],
          ...(read.key === null
            ? []
            : [
                [
                  slot ? 'Slot' : 'Of',
                  <code key="key" className="hex break-all">
                    {name}
                  </code>,
                ] as const,
              ]),
          [
            `In this ${own}`,
            <code key="a" className="hex break-all">
              {readable(read.a)}
            </code>,
          ],
          [
            'In the other run',
            <code key="b" className="hex break-all">
              {readable(read.b)}
            </code>,
          ],
        ]}
      />
      {slot && (
        <section aria-label="Who wrote it on this network">
          <h3 className="mb-1 font-medium text-soft text-xs">Who wrote it on this network</h3>
          <SlotHistory address={account} slot={slot} name={name} />
        </section>
      )}
    </div>
  )
}

/** The variables in a slot, if a workspace has the storage layout; the slot otherwise. */
function useSlotName(address: Address, slot: Hex | undefined): string | undefined {
  const variables = useSlotVariables(address)
  return (
    slot &&
    variables
      .get(slot)
      ?.map(({ path }) => path)
      .join(', ')
  )
}

function WrittenSlot({ address, slot, a, b }: Comparison['slots'][number]) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
      <Account address={address as Address} />
      <code className="hex break-all text-soft text-xs">{slot}</code>
      <span className="hex">{a === null ? 'not written' : readable(a)}</span>
      <span className="text-soft">other run:</span>
      <span className="hex">{b === null ? 'not written' : readable(b)}</span>
    </li>
  )
}

/** Small values as numbers, others as hex. */
function readable(word: string): string {
  const [change] = slotChanges('0x0', word as Hex, word as Hex, undefined)
  return change?.after ?? word
}
