import { useState } from 'react'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { browserWallet, chainParameter } from '../api/wallet.ts'

/** Adds this network to the wallet of the browser. */
export function WalletPanel() {
  const { data: info } = useNetworkInfo()
  const [outcome, setOutcome] = useState<string>()
  const wallet = browserWallet()
  const add = async () => {
    if (!wallet || !info) return
    try {
      await wallet.request({
        method: 'wallet_addEthereumChain',
        params: [chainParameter(info, window.location.origin)],
      })
      setOutcome('Added')
    } catch (error) {
      setOutcome((error as Error).message || 'The wallet refused')
    }
  }
  return (
    <Panel padded title="Wallet">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => void add()} disabled={!wallet || !info}>
          Add this network to the wallet
        </Button>
        <span role="status" className="text-soft text-sm">
          {wallet ? outcome : 'This browser has no wallet.'}
        </span>
      </div>
    </Panel>
  )
}
