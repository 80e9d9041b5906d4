import type { ReactNode } from 'react'
import { Account } from '../../../../components/Account.tsx'
import { formatBytes, formatCount, formatInteger } from '../../../../format/amount.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import type { GasLocation, GasProfile } from '../../api/gas.ts'
import { GasLocationText } from './GasLocationText.tsx'

const shownRows = 50

type Props = { profile: GasProfile; onLocation: (location: GasLocation) => void }

/** Which accounts and slots were cold, and what lines paid for accesses. */
export function GasAccesses({ profile: { lines, cold }, onLocation }: Props) {
  const accessing = lines.flatMap(({ accesses, ...line }) => (accesses ? [{ ...line, accesses }] : []))
  const sum = (of: 'cold' | 'warm') => accessing.reduce((total, { accesses }) => total + accesses[of].gas, 0)
  if (accessing.length === 0) return null
  const paid = accessing.sort((a, b) => b.accesses.cold.gas - a.accesses.cold.gas)
  return (
    <>
      <Panel
        title="Accesses by line"
        note={`${formatInteger(sum('cold'))} gas for cold ones, ${formatInteger(sum('warm'))} for warm ones`}
      >
        <Table
          name="Accesses by line"
          heads={['Line', 'Cold accounts', 'Cold slots', 'Warm', 'Gas']}
          rows={paid.map(({ accesses: { cold: first, warm }, ...line }) => [
            <LocationButton key="location" location={line} onLocation={onLocation} />,
            formatInteger(first.accounts),
            formatInteger(first.slots),
            formatInteger(warm.accounts + warm.slots),
            formatInteger(first.gas + warm.gas),
          ])}
        />
      </Panel>
      {cold.length > 0 && (
        <Panel title="Cold accesses" note="In order">
          <Table
            name="Cold accesses"
            heads={['Account', 'Slot', 'Line']}
            rows={cold.map(({ account, slot, ...line }) => [
              <Account key="account" address={account} />,
              slot === null ? 'the account' : <Slot key="slot" slot={slot} />,
              <LocationButton key="location" location={line} onLocation={onLocation} />,
            ])}
          />
        </Panel>
      )}
    </>
  )
}

/** A slot; those of mappings and arrays are hashes, of which the ends are enough. */
function Slot({ slot }: { slot: string }) {
  const digits = slot.slice(2).replace(/^0+(?=.)/, '')
  const text = digits.length > 16 ? `0x${digits.slice(0, 6)}…${digits.slice(-4)}` : `0x${digits}`
  return (
    <span className="hex" title={slot}>
      {text}
    </span>
  )
}

/** The lines that earned refunds. */
export function GasRefunds({ profile: { lines, refund, refundEarned }, onLocation }: Props) {
  const earning = lines.filter((line) => line.refund !== 0).sort((a, b) => b.refund - a.refund)
  if (earning.length === 0) return null
  const note =
    refund < refundEarned
      ? `${formatInteger(refundEarned)} earned, ${formatInteger(refund)} given: a fifth of the gas at most`
      : `${formatInteger(refund)} gas`
  return (
    <Panel title="Refunds" note={note}>
      <Table
        name="Refunds"
        heads={['Line', 'Gas']}
        rows={earning.map((line) => [
          <LocationButton key="location" location={line} onLocation={onLocation} />,
          formatInteger(line.refund),
        ])}
      />
    </Panel>
  )
}

/** How much memory calls had. */
export function GasMemory({ profile: { calls } }: Pick<Props, 'profile'>) {
  const growing = calls.flatMap(({ memory, ...call }) => (memory && memory.bytes > 0 ? [{ ...call, ...memory }] : []))
  if (growing.length === 0) return null
  return (
    <Panel title="Memory" note="Of each call of a contract">
      <Table
        name="Memory"
        heads={['Contract', 'Calls', 'Most bytes', 'Gas for growth']}
        rows={growing
          .sort((a, b) => b.bytes - a.bytes)
          .map((call) => [
            <GasLocationText key="location" location={call} />,
            formatInteger(call.calls),
            formatBytes(call.bytes),
            // The gas of the growth, not that of the call.
            formatInteger(call.gas),
          ])}
      />
    </Panel>
  )
}

function LocationButton({
  location,
  onLocation,
}: {
  location: GasLocation
  onLocation: (location: GasLocation) => void
}) {
  if (location.file === null) return <GasLocationText location={location} />
  return (
    <button type="button" className="min-h-6 rounded text-left hover:underline" onClick={() => onLocation(location)}>
      <GasLocationText location={location} />
    </button>
  )
}

/** A table whose first column is text, and which scrolls where it is too wide. */
export function Table({ name, heads, rows }: { name: string; heads: string[]; rows: ReactNode[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section aria-label={name} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-soft text-xs">
          <tr className="border-line border-b">
            {heads.map((head, index) => (
              <th key={head} className={`px-3 py-1.5 font-medium ${index > 0 ? 'text-right' : ''}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.slice(0, shownRows).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a profile never change
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={heads[column]} className={`px-3 py-1.5 ${column > 0 ? 'number text-right text-xs' : ''}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shownRows && (
        <p className="px-3 py-1.5 text-soft text-xs">{formatCount(rows.length - shownRows, 'more row')}</p>
      )}
    </section>
  )
}
