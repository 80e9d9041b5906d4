import { BlockLink } from '../../../components/HashLink.tsx'
import { formatInteger, formatPercent } from '../../../format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useMethods } from '../api/details.ts'
import type { Subject } from '../api/workspaces.ts'
import { FunctionTable } from './FunctionTable.tsx'

/** Calls, reverts and gas of each function. */
export function MethodTable({ subject }: { subject: Subject }) {
  const query = useMethods(subject)
  const cell = 'number px-3 py-2 text-right'
  return (
    <Panel title="Methods" note="Latest 10,000 calls">
      <Loaded query={query} what="methods" rows={6}>
        {(methods) =>
          methods.length === 0 ? (
            <Empty title="No known functions and no calls" />
          ) : (
            <FunctionTable label="Methods" columns={['Calls', 'Reverts', 'Median gas', 'p95', 'max', 'Last block']}>
              {methods.map(({ selector, name, signature, calls, reverts, gas, lastBlock, overridden }) => (
                <tr key={selector ?? 'none'}>
                  <td className="px-3 py-2">
                    <span className="hex font-medium text-xs" title={selector ?? undefined}>
                      {signature ?? name ?? selector ?? 'receive'}
                    </span>{' '}
                    {overridden && <Badge tone="overridden">overridden</Badge>}
                  </td>
                  <td className={cell}>{formatInteger(calls)}</td>
                  <td className={`${cell} ${reverts > 0 ? 'text-bad' : 'text-soft'}`}>
                    {reverts > 0 ? `${formatInteger(reverts)} (${formatPercent(reverts, calls)})` : '0'}
                  </td>
                  {[gas?.p50, gas?.p95, gas?.max].map((value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never change their order
                    <td key={index} className={cell}>
                      {value === undefined ? '–' : formatInteger(BigInt(value))}
                    </td>
                  ))}
                  <td className={cell}>{lastBlock === null ? '–' : <BlockLink number={lastBlock} />}</td>
                </tr>
              ))}
            </FunctionTable>
          )
        }
      </Loaded>
    </Panel>
  )
}
