import { formatInteger } from '../../../format/amount.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useGasByVersion } from '../api/details.ts'
import type { Subject } from '../api/workspaces.ts'
import { FunctionTable } from './FunctionTable.tsx'

/** The gas of each function by version of the contract. */
export function GasByVersion({ subject }: { subject: Subject }) {
  const query = useGasByVersion(subject)
  if (query.data?.length === 0) return null
  const cell = 'number px-3 py-2 text-right'
  return (
    <Panel title="Gas by version" note="Without what a transaction costs before it runs">
      <Loaded query={query} what="gas by version" rows={4}>
        {(methods) => (
          <FunctionTable label="Gas by version" columns={['Version', 'Calls', 'Lowest', 'Median', 'Highest', 'Change']}>
            {methods.flatMap(({ selector, signature, versions }) =>
              versions.map(({ id, number, calls, gas, change, isRegression }) => (
                <tr key={`${selector}${id}`}>
                  <td className="hex px-3 py-2 text-xs">{signature ?? selector ?? 'receive'}</td>
                  <td className={cell}>{number}</td>
                  <td className={cell}>{formatInteger(calls)}</td>
                  {[gas?.min, gas?.p50, gas?.max].map((value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never change their order
                    <td key={index} className={cell}>
                      {value === undefined ? '–' : formatInteger(BigInt(value))}
                    </td>
                  ))}
                  <td className={`${cell} ${isRegression ? 'text-bad' : 'text-soft'}`}>
                    {change === null ? '–' : `${change > 0 ? '+' : ''}${formatInteger(change)}`}
                    {isRegression && <span className="block text-2xs">costs more</span>}
                  </td>
                </tr>
              )),
            )}
          </FunctionTable>
        )}
      </Loaded>
    </Panel>
  )
}
