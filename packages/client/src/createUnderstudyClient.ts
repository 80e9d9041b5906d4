import {
  type Account,
  type Chain,
  type Client,
  createClient,
  defineChain,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type Transport,
  testActions,
  type WalletActions,
  walletActions,
  webSocket,
} from 'viem'
import { type UnderstudyActions, understudyActions } from './actions.ts'

export type UnderstudyClientOptions<account extends Account | undefined = undefined> = {
  /** The URL of the network: http:, https:, ws: or wss:. */
  url: string
  /** Sent with every HTTP request. For a WebSocket, put the key in the path of the URL: `/rpc/KEY`. */
  apiKey?: string
  /** The account that signs transactions. For funded and impersonated accounts, the address is enough. */
  account?: account
  /** Milliseconds between polls for new blocks and events. */
  pollingInterval?: number
}

export type UnderstudyClient<account extends Account | undefined = undefined> = Client<Transport, Chain, account> &
  PublicActions<Transport, Chain, account> &
  WalletActions<Chain, account> &
  TestActions &
  UnderstudyActions

/** Creates a viem client with viem's public, wallet and test actions and those of Understudy. Reads the chain id from the network. */
export async function createUnderstudyClient<account extends Account | undefined = undefined>({
  url,
  apiKey,
  account,
  pollingInterval = 250,
}: UnderstudyClientOptions<account>): Promise<UnderstudyClient<account>> {
  const transport = transportTo(url, apiKey)
  const id = Number(await createClient({ transport }).request({ method: 'eth_chainId' }))
  const client = createClient({ account, chain: chainAt(id, url), transport, pollingInterval, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: 'anvil' }))
    .extend(understudyActions)
  return client as unknown as UnderstudyClient<account>
}

function transportTo(url: string, apiKey: string | undefined): Transport {
  if (/^wss?:/.test(url)) return webSocket(url)
  return http(url, apiKey === undefined ? {} : { fetchOptions: { headers: { authorization: `Bearer ${apiKey}` } } })
}

function chainAt(id: number, url: string): Chain {
  return defineChain({
    id,
    name: `Understudy (chain ${id})`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    testnet: true,
  })
}
