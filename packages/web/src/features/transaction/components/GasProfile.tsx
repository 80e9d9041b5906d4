import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger, formatPercent } from '../../../format/amount.ts'
import { Meter } from '../../../ui/charts/Meter.tsx'
import { type LineGas, useGasProfile } from '../api/debugging.ts'
import { SealedPanel } from './SealedPanel.tsx'

/** More lines than a page shows well. */
const shownLines = 100

/** Where the gas of a transaction went, line by line. */
export function GasProfile({ hash, isSealed }: { hash: Hex; isSealed: boolean }) {
  const query = useGasProfile(hash, isSealed)
  return (
    <SealedPanel isSealed={isSealed} appears="The gas profile appears" query={query} what="gas">
      {({ gasUsed, intrinsic, refund, lines }) => (
        <table className="w-full text-sm">
          <thead className="sr-only">
            <tr>
              <th>Place</th>
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
                <Place {...line} />
              </Row>
            ))}
            {lines.length > shownLines && (
              <Row gas={lines.slice(shownLines).reduce((sum, { gas }) => sum + gas, 0)} total={gasUsed}>
                {formatCount(lines.length - shownLines, 'more line')}
              </Row>
            )}
            {refund > 0 && (
              <Row gas={-refund} total={gasUsed}>
                Refund
              </Row>
            )}
          </tbody>
        </table>
      )}
    </SealedPanel>
  )
}

function Place({ file, line, function: name, address }: LineGas) {
  if (file === null) return <Account address={address} />
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {name === null ? <span className="text-soft">dispatcher</span> : <code className="font-medium">{name}</code>}
      <code className="break-all text-soft text-xs">
        {file}:{line}
      </code>
    </span>
  )
}

function Row({ gas, total, children }: { gas: number; total: number; children: React.ReactNode }) {
  return (
    <tr>
      <td className="px-3 py-1.5">{children}</td>
      <td className="w-24 max-sm:hidden">
        <Meter value={gas} max={total} label={formatPercent(BigInt(Math.max(0, gas)), BigInt(total))} />
      </td>
      <td className="number w-24 px-3 text-right text-soft text-xs">{formatInteger(BigInt(gas))}</td>
    </tr>
  )
}
