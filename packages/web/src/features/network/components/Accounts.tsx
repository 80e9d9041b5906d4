import { useState } from 'react'
import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { FaucetDialog } from '../../../components/FaucetDialog.tsx'
import { formatCount } from '../../../format/amount.ts'
import { useImpersonate, useStopImpersonating } from '../../../lib/state/impersonation.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { AddressDialog } from '../../../ui/forms/AddressDialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAccounts } from '../api/accounts.ts'

/** The accounts that can send, with a faucet for each. */
export function Accounts() {
  const query = useAccounts()
  const [funding, setFunding] = useState<{ to?: Address }>()
  const [isImpersonating, setImpersonating] = useState(false)
  const stop = useStopImpersonating()
  return (
    <Panel
      title="Accounts"
      actions={
        <>
          <Button needs="admin" onClick={() => setFunding({})}>
            Faucet
          </Button>
          <Button needs="admin" onClick={() => setImpersonating(true)}>
            Impersonate
          </Button>
        </>
      }
    >
      <Loaded query={query} what="accounts" rows={5}>
        {(accounts) => (
          <ul className="max-h-96 divide-y divide-line overflow-y-auto">
            {accounts.map(({ address, balance, nonce, isImpersonated }) => (
              <li key={`${address}${isImpersonated}`} className="flex h-9 items-center gap-2 px-3">
                <Account address={address} copy className="min-w-0 grow" />
                {isImpersonated && <Badge tone="accent">impersonated</Badge>}
                <span className="number hidden text-soft text-xs sm:block" title="Transactions sent">
                  {formatCount(nonce, 'tx', 'txs')}
                </span>
                <Amount value={balance} className="text-right" />
                {isImpersonated ? (
                  <Button
                    needs="admin"
                    tone="quiet"
                    aria-label="Stop impersonating"
                    title="Stop impersonating"
                    onClick={() => stop.mutate(address)}
                  >
                    <Icon name="close" size={12} />
                  </Button>
                ) : (
                  <Button
                    needs="admin"
                    tone="quiet"
                    aria-label="Fund this account"
                    title="Fund"
                    onClick={() => setFunding({ to: address })}
                  >
                    <Icon name="plus" size={12} />
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {funding && <FaucetDialog to={funding.to} onClose={() => setFunding(undefined)} />}
      {isImpersonating && <ImpersonateDialog onClose={() => setImpersonating(false)} />}
    </Panel>
  )
}

function ImpersonateDialog({ onClose }: { onClose: () => void }) {
  const impersonate = useImpersonate()
  return (
    <AddressDialog
      title="Impersonate account"
      explanation="The address can then send transactions with eth_sendTransaction, without a signature. Contracts see it as msg.sender."
      submit="Impersonate"
      action={impersonate}
      onSubmit={(address) => impersonate.mutate(address, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
