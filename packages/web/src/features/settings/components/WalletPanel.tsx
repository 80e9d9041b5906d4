import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { useAction } from '../../../lib/actions/useAction.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { addToWallet } from '../../../lib/wallet/chain.ts'
import { connectWallet, disconnectWallet, useConnected, useWallets } from '../../../lib/wallet/connected.ts'
import type { Wallet } from '../../../lib/wallet/provider.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'

/** Connects the wallets of this browser, and adds this network to them. */
export function WalletPanel() {
  const wallets = useWallets()
  const { data: info } = useNetworkInfo()
  const sharesId = info !== undefined && info.upstream?.chainId === info.chainId
  return (
    <Panel title="Wallet">
      {wallets.length === 0 ? (
        <Empty title="No wallet found in this browser">
          Install one, or add the network to a wallet elsewhere: its RPC URL and chain ID are under “About this
          network”.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {wallets.map((wallet) => (
            <WalletRow key={wallet.id} wallet={wallet} />
          ))}
        </ul>
      )}
      {wallets.length > 0 && sharesId && (
        <p className="border-line border-t px-3 py-2 text-warn text-xs">
          This network has the chain ID of the live chain ({info.chainId}). Before the wallet signs, this page checks
          which of the two it uses. Start the network with its own --chain-id, and no signature is valid on the live
          chain.
        </p>
      )}
      {wallets.length > 0 && (
        <p className="border-line border-t px-3 py-2 text-soft text-xs">
          Transactions from the connected account are signed by the wallet. All other accounts need no signature here.
        </p>
      )}
      <p className="border-line border-t px-3 py-2 text-soft text-xs">
        A page can use accounts of this network without a wallet of the browser: see{' '}
        <Link to="/wallet" className="text-accent underline">
          requests of pages
        </Link>
        .
      </p>
    </Panel>
  )
}

function WalletRow({ wallet }: { wallet: Wallet }) {
  const { name, icon } = wallet
  const connected = useConnected()
  const isConnected = connected?.wallet.id === wallet.id
  const connect = useAction(() => connectWallet(wallet))
  const add = useAction(
    () => addToWallet(wallet),
    () => `Network added to ${name}`,
  )
  const [last, setLast] = useState<'connect' | 'add'>()
  const error = last === 'connect' ? connect.error : add.error
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        {icon ? <img src={icon} alt="" width={20} height={20} /> : <Icon name="wallet" size={20} />}
        <span className="min-w-0 truncate font-medium text-sm">{name}</span>
        {isConnected && (
          <>
            <Badge tone="good">connected</Badge>
            <Account address={connected.account} copy className="text-sm" />
          </>
        )}
        <span className="ml-auto flex flex-wrap gap-1.5">
          {isConnected ? (
            <Button onClick={disconnectWallet}>Disconnect</Button>
          ) : (
            <Button
              busy={connect.isPending}
              onClick={() => {
                setLast('connect')
                connect.mutate()
              }}
            >
              Connect
            </Button>
          )}
          <Button
            busy={add.isPending}
            onClick={() => {
              setLast('add')
              add.mutate()
            }}
          >
            Add this network
          </Button>
        </span>
      </div>
      {error && <Problem error={error} />}
    </li>
  )
}
