import { type Address, size } from 'viem'
import { useToken } from '../../../lib/contracts/token.ts'
import { formatBytes, formatInteger } from '../../../lib/format/amount.ts'
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
        <Loaded query={query} what="the account" rows={4}>
          {({ balance, nonce, code, isFollowed, followedSlots }) => (
            <Facts
              rows={[
                ['Balance', <Amount key="balance" value={balance} />],
                ['Nonce', formatInteger(nonce)],
                code === '0x'
                  ? ['Code', 'none']
                  : [
                      'Code',
                      <span key="code">
                        {formatBytes(size(code))} <CopyButton text={code} what="the code" />
                      </span>,
                    ],
                token && ['Token', `${token.name} (${token.symbol}), ${token.decimals} decimals`],
                [
                  'Follows the live chain',
                  isFollowed ? 'as a whole' : followedSlots.length > 0 ? `${followedSlots.length} slots` : 'no',
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
