import { type Address, size } from 'viem'
import { formatBytes, formatCount, formatInteger } from '../../../format/amount.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAccount } from '../api/account.ts'
import { RecentTransactions } from './RecentTransactions.tsx'

export function AddressOverview({ address }: { address: Address }) {
  const query = useAccount(address)
  const { data: token } = useToken(address)
  return (
    <>
      <Panel>
        <Loaded query={query} what="account" rows={4}>
          {({ balance, nonce, code, isFollowed, followedSlots }) => (
            <Facts
              rows={[
                ['Balance', <Amount key="balance" value={balance} />],
                ['Nonce', formatInteger(nonce)],
                code === '0x'
                  ? ['Code', 'None']
                  : [
                      'Code',
                      <span key="code">
                        {formatBytes(size(code))} <CopyButton text={code} what="code" />
                      </span>,
                    ],
                token && ['Token', `${token.name} (${token.symbol}), ${token.decimals} decimals`],
                [
                  'Follows the live chain',
                  isFollowed ? 'Yes' : followedSlots.length > 0 ? formatCount(followedSlots.length, 'slot') : 'No',
                ],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <RecentTransactions address={address} />
    </>
  )
}
