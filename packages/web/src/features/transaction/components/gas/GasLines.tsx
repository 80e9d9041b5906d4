import { formatCount, formatInteger, formatPercent } from '../../../../format/amount.ts'
import { Meter } from '../../../../ui/charts/Meter.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import type { GasLocation, GasProfile } from '../../api/gas.ts'
import { GasLocationText } from './GasLocationText.tsx'

/** More lines than a page shows well. */
const shownLines = 100

/** The gas of each line, the most expensive first. */
export function GasLines({
  profile,
  onLocation,
}: {
  profile: GasProfile
  onLocation: (location: GasLocation) => void
}) {
  const { gasUsed, intrinsic, refund, lines, others } = profile
  const hidden = lines.slice(shownLines)
  return (
    <Panel title="Lines" note="Own gas, without calls">
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th>Location</th>
            <th>Share</th>
            <th>Gas</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          <Row gas={intrinsic} total={gasUsed}>
            Before execution: the transaction and its data
          </Row>
          {lines.slice(0, shownLines).map((line) => (
            <Row key={`${line.address}${line.file}${line.line}${line.function}`} gas={line.gas} total={gasUsed}>
              {line.file === null ? (
                <GasLocationText location={line} />
              ) : (
                <button
                  type="button"
                  className="w-full rounded text-left hover:underline"
                  onClick={() => onLocation(line)}
                >
                  <GasLocationText location={line} />
                </button>
              )}
            </Row>
          ))}
          {(hidden.length > 0 || others > 0) && (
            <Row gas={hidden.reduce((sum, { gas }) => sum + gas, others)} total={gasUsed}>
              {others > 0 ? 'More lines' : formatCount(hidden.length, 'more line')}
            </Row>
          )}
          {refund > 0 && (
            <Row gas={-refund} total={gasUsed}>
              Refund
            </Row>
          )}
        </tbody>
      </table>
    </Panel>
  )
}

function Row({ gas, total, children }: { gas: number; total: number; children: React.ReactNode }) {
  return (
    <tr>
      <td className="px-3 py-1.5">{children}</td>
      <td className="w-20 max-sm:hidden">
        <Meter value={gas} max={total} label={formatPercent(Math.max(0, gas), total)} />
      </td>
      <td className="number w-24 px-3 text-right text-soft text-xs">{formatInteger(gas)}</td>
    </tr>
  )
}
