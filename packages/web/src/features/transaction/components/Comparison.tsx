import { type ReactNode, useState } from 'react'
import { type Address, type Hex, isHash } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { SlotHistory } from '../../../components/SlotHistory.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { slotChanges } from '../../../lib/contracts/slotChanges.ts'
import { useSlotVariables } from '../../../lib/contracts/slotVariables.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Comparison as Compared, type ComparedStep, isBlockNumber, useComparison } from '../api/comparison.ts'

type Props = { hash: Hex; against: string; onAgainst(against: string): void }

const names: Record<string, string> = { live: 'On the live chain', plain: 'Without function overrides' }

/** A transaction beside another run: where they part, and the values that made it. */
export function Comparison({ hash, against, onAgainst }: Props) {
  const kind = kindOf(against)
  const [other, setOther] = useState(isOther(kind, against) ? against : '')
  const { data: network } = useNetworkInfo()
  const isNamed = against in names
  return (
    <div className="space-y-3">
      <Panel padded>
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <Choice
            label="Compare with"
            chosen={kind}
            onChoose={(id = 'live') => {
              if (!isOther(id, other)) setOther('')
              onAgainst(isOther(id, other) ? other : id)
            }}
            options={[
              ...(network?.upstream === null ? [] : [{ id: 'live', name: 'Live chain' }]),
              { id: 'plain', name: 'No overrides' },
              { id: 'block', name: 'Another block' },
              { id: 'transaction', name: 'Another transaction' },
            ]}
          />
          {!isNamed && (
            <form
              className="flex min-w-0 flex-1 items-end gap-2"
              onSubmit={(event) => {
                event.preventDefault()
                const text = other.trim()
                if (kind !== 'block' || isBlockNumber(text)) onAgainst(text)
              }}
            >
              <div className="min-w-0 flex-1">
                <TextField
                  label={
                    kind === 'block'
                      ? 'Number of the block on whose state its call runs'
                      : 'Hash of the other transaction'
                  }
                  className="hex"
                  value={other}
                  error={problemOf(kind, against, other)}
                  onChange={(event) => setOther(event.target.value)}
                />
              </div>
              <Button type="submit">Compare</Button>
            </form>
          )}
        </div>
      </Panel>
      {(isNamed || isOther(kind, against)) && <Difference hash={hash} against={against} />}
    </div>
  )
}

function kindOf(against: string): string {
  if (against in names || against === 'block') return against
  return isBlockNumber(against) ? 'block' : 'transaction'
}

function problemOf(kind: string, against: string, typed: string): string | undefined {
  if (kind === 'block')
    return typed === '' || isBlockNumber(typed.trim()) ? undefined : 'Expected the number of a block'
  return against === kind || isHash(against) ? undefined : 'Expected the hash of a transaction'
}

/** Whether a text says which other transaction or block it is. */
const isOther = (kind: string, text: string) =>
  (kind === 'transaction' && isHash(text)) || (kind === 'block' && isBlockNumber(text))

function Difference({ hash, against }: { hash: Hex; against: string }) {
  const query = useComparison(hash, against)
  const other = isBlockNumber(against) ? (
    `Its call on block ${formatInteger(Number(against))}`
  ) : (
    <TransactionLink key="other" hash={against as Hex} />
  )
  const sides = ['This transaction', names[against] ?? other] as const
  return (
    <Loaded query={query} what="comparison" rows={6}>
      {({ a, b, parting, read, slots }) => (
        <>
          <div className="grid gap-3 lg:grid-cols-2">
            <Side title={sides[0]} outcome={a} step={parting?.a} isParted={parting !== null} />
            <Side title={sides[1]} outcome={b} step={parting?.b} isParted={parting !== null} />
          </div>
          <Panel title="Why they differ" padded>
            <Reason parting={parting} read={read} slots={slots.length} />
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
  outcome: Compared['a']
  step: ComparedStep | null | undefined
  isParted: boolean
}

function Side({ title, outcome, step, isParted }: SideProps) {
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
          ...(isParted
            ? [['Then runs', step ? <Place key="place" {...step} /> : 'nothing: it has ended'] as const]
            : []),
        ]}
      />
    </Panel>
  )
}

type PlaceProps = Pick<ComparedStep, 'operation' | 'file' | 'line' | 'function' | 'address'>

/** An operation with its line, or its contract where no lines are known. */
function Place({ operation, file, line, function: name, address }: PlaceProps) {
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

function Reason({ parting, read, slots }: Pick<Compared, 'parting' | 'read'> & { slots: number }) {
  return (
    <div className="space-y-3 text-sm">
      {parting ? (
        <div>
          They run the same {formatCount(parting.index, 'operation')}
          {parting.before ? (
            <>
              , and part after <Place {...parting.before} />
            </>
          ) : (
            '.'
          )}
        </div>
      ) : (
        <p>Both run the same operations{read || slots > 0 ? ', with other values.' : ' with the same values.'}</p>
      )}
      {read && <FirstValue read={read} />}
    </div>
  )
}

/** The first value that both read and that differs; with those who wrote it, if it is in a slot. */
function FirstValue({ read }: { read: NonNullable<Compared['read']> }) {
  const account = read.account as Address
  const slot = read.operation === 'SLOAD' ? (read.key as Hex) : undefined
  const name = useSlotName(account, slot) ?? read.key ?? ''
  return (
    <div className="space-y-2">
      <div>
        The first value that differs is read by <Place {...read} />
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
            'In this transaction',
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

function WrittenSlot({ address, slot, a, b }: Compared['slots'][number]) {
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
