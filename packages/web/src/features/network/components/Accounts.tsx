import { useState } from 'react'
import type { Address } from 'viem'
import { parseAmount } from '../../../lib/format/amount.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAccounts, useAddBalance, useImpersonate, useStopImpersonating } from '../api/accounts.ts'

/** Who can send here: a faucet for each, and anybody else by impersonation. */
export function Accounts() {
  const query = useAccounts()
  const [funding, setFunding] = useState<Address | ''>()
  const [isImpersonating, setImpersonating] = useState(false)
  const stop = useStopImpersonating()
  return (
    <Panel
      title="Accounts"
      actions={
        <>
          <Button onClick={() => setFunding('')}>Faucet</Button>
          <Button onClick={() => setImpersonating(true)}>Impersonate</Button>
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
                  {nonce} tx
                </span>
                <Amount value={balance} className="text-right" />
                {isImpersonated ? (
                  <Button
                    tone="quiet"
                    aria-label="Stop impersonating"
                    title="Stop impersonating"
                    onClick={() => stop.mutate(address)}
                  >
                    <Icon name="close" size={12} />
                  </Button>
                ) : (
                  <Button tone="quiet" aria-label="Fund this account" title="Fund" onClick={() => setFunding(address)}>
                    <Icon name="plus" size={12} />
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {funding !== undefined && <FaucetDialog address={funding} onClose={() => setFunding(undefined)} />}
      {isImpersonating && <ImpersonateDialog onClose={() => setImpersonating(false)} />}
    </Panel>
  )
}

function FaucetDialog({ address: first, onClose }: { address: string; onClose: () => void }) {
  const [address, setAddress] = useState(first)
  const [amount, setAmount] = useState('100')
  const [problem, setProblem] = useState<string>()
  const addBalance = useAddBalance()
  const submit = () => {
    try {
      addBalance.mutate({ address: address as Address, amount: parseAmount(amount, 18) }, { onSuccess: onClose })
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog title="Faucet" onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label="Address"
          className="hex"
          placeholder="0x…"
          value={address}
          onChange={(e) => setAddress(e.target.value)}
        />
        <TextField
          label="Amount"
          hint="ETH, added to what is there"
          inputMode="decimal"
          value={amount}
          error={problem}
          onChange={(e) => setAmount(e.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={addBalance.isPending}>
            Fund
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function ImpersonateDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState('')
  const impersonate = useImpersonate()
  return (
    <Dialog title="Impersonate an account" onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          impersonate.mutate(address.trim(), { onSuccess: onClose })
        }}
      >
        <p className="text-soft text-xs">
          Any address may then send with eth_sendTransaction, without a signature. Contracts see it as msg.sender.
        </p>
        <TextField
          label="Address"
          className="hex"
          placeholder="0x…"
          value={address}
          onChange={(e) => setAddress(e.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={impersonate.isPending}>
            Impersonate
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
