import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger, formatPercent } from '../../../format/amount.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Holders, holderLimits, useHolders } from '../api/holders.ts'
import type { Subject } from '../api/workspaces.ts'

/** The known holders of a token, and its known token ids with their owners. */
export function HolderList({ subject }: { subject: Subject }) {
  const query = useHolders(subject)
  const { data: token } = useToken(subject.address)
  return (
    <Loaded query={query} what="holders" rows={6}>
      {({ supply, holders, ids, truncated, unread }) => (
        <>
          {(holders.length > 0 || ids.length === 0) && (
            <Panel title="Known holders" note={formatInteger(holders.length)}>
              <Scope truncated={truncated} unread={unread} />
              {holders.length === 0 ? (
                <Empty title="No known holder">
                  A holder is known when it is an account of this network, or when a transaction here moved its tokens.
                </Empty>
              ) : (
                <ul aria-label="Known holders" className="divide-y divide-line">
                  {holders.map(({ account, amount }) => (
                    <li
                      key={account}
                      className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5 text-sm"
                    >
                      <Account address={account} />
                      <span className="ml-auto flex items-center gap-4">
                        <Amount value={amount} token={token ?? { symbol: '', decimals: 0 }} />
                        {supply !== undefined && supply > 0n && (
                          <span className="number w-16 text-right text-soft" title="Share of the total supply">
                            {formatPercent(amount, supply)}
                          </span>
                        )}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Panel>
          )}
          {ids.length > 0 && <Ids ids={ids} truncated={truncated} unread={unread} />}
        </>
      )}
    </Loaded>
  )
}

function Ids({ ids, truncated, unread }: Pick<Holders, 'ids' | 'truncated' | 'unread'>) {
  return (
    <Panel title="Known token ids" note={formatInteger(ids.length)}>
      <Scope truncated={truncated} unread={unread} />
      <ul aria-label="Known token ids" className="divide-y divide-line">
        {ids.map(({ tokenId, account, amount }) => (
          <li
            key={`${tokenId} ${account}`}
            className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5 text-sm"
          >
            <span className="number min-w-0 break-all">#{tokenId.toString()}</span>
            <span className="ml-auto flex items-center gap-4">
              {amount > 1n && <span className="number text-soft">× {formatInteger(amount)}</span>}
              <Account address={account} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What the list has, and what it may lack. */
function Scope({ truncated, unread }: Pick<Holders, 'truncated' | 'unread'>) {
  const { transfers, accounts, ids } = holderLimits
  return (
    <p className="border-line border-b px-3 py-2 text-soft text-xs">
      From the accounts of this network and the token’s transfers in local transactions, at the latest block. Holders on
      the live chain that no local transaction involved are not listed.
      {truncated &&
        ` Read: the newest ${formatInteger(transfers)} transfers, and of these at most ${accounts} accounts and ${ids} token ids. There are more.`}
      {unread > 0 && ` ${formatCount(unread, 'value')} could not be read.`}
    </p>
  )
}
