import { Account } from '../../../components/Account.tsx'
import { exactAmount, formatCount } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import type { Branch } from '../../../lib/networks/networks.ts'
import { useCurrency } from '../../../ui/currency.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useComparison } from '../api/branches.ts'

const columns = ['Account', 'Field', 'Branch', 'This network']

/** The accounts and slots in which a branch differs from the network of this page. */
export function BranchComparison({ branch }: { branch: Branch }) {
  const query = useComparison(branch)
  const currency = useCurrency()
  const shown = (field: string, value: string) =>
    field === 'balance' ? `${exactAmount(BigInt(value), 18)} ${currency}` : readable(value)
  return (
    <Loaded query={query} what="comparison" rows={3}>
      {({ blocks, items, overrideCount, next }) => (
        <div className="mt-2 space-y-2">
          <p className="text-soft">
            Both have block {Number(blocks.common)}; the branch is at block {Number(blocks.a)}, this network at block{' '}
            {Number(blocks.b)}.{overrideCount > 0 && ` ${formatCount(overrideCount, 'function override')} differ.`}
            {items.length === 0 && ' No account differs.'}
          </p>
          {items.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
            <section aria-label={`Differences of ${branch.name}`} tabIndex={0} className="overflow-x-auto">
              <table className="w-full text-left text-xs">
                <thead className="text-soft">
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col" className="py-1 pr-4 font-medium">
                        {column}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ address, field, slot, variables, a, b }) => (
                    <tr key={`${address}${field}${slot ?? ''}`} className="border-line border-t">
                      <td className="py-1 pr-4">
                        <Account address={address} />
                      </td>
                      <td className="py-1 pr-4">{variables.join(', ') || (slot ? `slot ${shorten(slot)}` : field)}</td>
                      <td className="hex py-1 pr-4">{shown(field, a)}</td>
                      <td className="hex py-1">{shown(field, b)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          {next && <p className="text-soft">More differ: dev_compareBranches lists all.</p>}
        </div>
      )}
    </Loaded>
  )
}

/** Words are shown without their leading zeros. */
const readable = (value: string): string => value.replace(/^0x0+(?=.)/, '0x')
