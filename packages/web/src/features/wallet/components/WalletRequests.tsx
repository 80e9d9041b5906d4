import { useState } from 'react'
import type { Address } from 'viem'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { networkPath } from '../../../location/networkUrl.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useMay } from '../../../ui/role.ts'
import { useAnswer, useSetApproval, useWalletRequests, type WalletRequest } from '../api/walletRequests.ts'

/** Beside what the network is a branch of, or is served with. */
const scriptUrl = `${location.origin}${networkPath.replace(/(?:\/n\/([^/]+))?$/, (_, name) => `/wallet.js${name ? `?branch=${name}` : ''}`)}`

/** What pages ask the wallet of this network, to approve or reject. */
export function WalletRequests() {
  const query = useWalletRequests()
  const mayAnswer = useMay('admin')
  return (
    <Panel
      title="Wallet requests"
      actions={mayAnswer && query.data && <Approval approvesAll={query.data.approvesAll} />}
    >
      <Loaded query={query} what="requests" rows={2}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Empty title="No pending requests">
              A page that loads <code className="hex break-all">{scriptUrl}</code> as a module finds a wallet with the
              accounts of this network. Its requests appear here.
            </Empty>
          ) : (
            <ul aria-label="Requests" className="divide-y divide-line">
              {requests.map((request) => (
                <Row key={request.id} request={request} mayAnswer={mayAnswer} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Approval({ approvesAll }: { approvesAll: boolean }) {
  const set = useSetApproval()
  return (
    <Choice
      label="Wallet requests"
      options={[
        { id: 'ask', name: 'Ask' },
        { id: 'always', name: 'Approve always' },
      ]}
      chosen={approvesAll ? 'always' : 'ask'}
      onChoose={(id) => set.mutate(id === 'always')}
    />
  )
}

const whatOf: Record<string, string> = {
  eth_requestAccounts: 'wants to connect to an account',
  eth_sendTransaction: 'wants to send a transaction',
  wallet_sendCalls: 'wants to send several calls',
  personal_sign: 'wants a signature of a message',
  eth_sign: 'wants a signature of a message',
}

function Row({ request, mayAnswer }: { request: WalletRequest; mayAnswer: boolean }) {
  const { id, origin, method, params } = request
  const { data: info } = useNetworkInfo()
  const [account, setAccount] = useState<string>()
  const answer = useAnswer()
  const isConnection = method === 'eth_requestAccounts'
  const chosen = account ?? info?.accounts[0] ?? ''
  return (
    <li className="p-3 text-sm">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          answer.mutate({ id, isApproved: true, account: isConnection ? (chosen as Address) : undefined })
        }}
      >
        <p className="min-w-0 break-words">
          <strong className="font-medium">{origin}</strong> {whatOf[method] ?? `wants ${method}`}
        </p>
        {isConnection ? (
          <AddressField
            label="Account"
            hint="Any address. Unfunded ones are impersonated."
            value={chosen}
            onChange={setAccount}
          />
        ) : (
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
            tabIndex={0}
            aria-label="Parameters"
            className="max-h-64 overflow-y-auto rounded-md bg-raised p-2"
          >
            <pre className="hex whitespace-pre-wrap break-all text-xs">{JSON.stringify(params, null, 2)}</pre>
          </section>
        )}
        {mayAnswer && (
          <div className="flex gap-2">
            <Button type="submit" tone="primary" busy={answer.isPending}>
              Approve
            </Button>
            <Button onClick={() => answer.mutate({ id, isApproved: false })}>Reject</Button>
          </div>
        )}
      </form>
    </li>
  )
}
