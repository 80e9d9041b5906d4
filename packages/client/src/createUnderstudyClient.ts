import {
  type Account,
  type Chain,
  type Client,
  createClient,
  type EIP1474Methods,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type TestRpcSchema,
  type Transport,
  testActions,
  type WalletActions,
  walletActions,
  webSocket,
} from 'viem'
import { type UnderstudyActions, understudyActions } from './actions.ts'
import type { UnderstudyRpcSchema } from './generated/rpcSchema.ts'

export type UnderstudyClientOptions<
  account extends Account | undefined = undefined,
  chain extends Chain | undefined = undefined,
> = {
  /** The URL of the network: http:, https:, ws: or wss:. */
  url: string
  /** Sent with every HTTP request. For a WebSocket, put the key in the path of the URL: `/rpc/KEY`. */
  apiKey?: string
  /** The account that signs transactions. For funded and impersonated accounts, the address is enough. */
  account?: account
  /**
   * The chain, for its contracts (multicall, ENS) and formatters. The network must have its id. Without a chain,
   * transactions are for whatever chain the network is: it is asked for its id when one is signed here.
   */
  chain?: chain
  /** Milliseconds between polls for new blocks and events. */
  pollingInterval?: number
}

/** What `client.request` takes: the methods of viem's actions, and those of Understudy. */
type ClientRpcSchema = [...EIP1474Methods, ...TestRpcSchema<'anvil'>, ...UnderstudyRpcSchema]

/** Without a chain of their own, its actions need none, as with `chain: null` in viem. */
export type UnderstudyClient<
  account extends Account | undefined = undefined,
  chain extends Chain | undefined = undefined,
> = Client<Transport, chain, account, ClientRpcSchema> &
  PublicActions<Transport, chain, account> &
  WalletActions<chain extends Chain ? chain : Chain, account> &
  TestActions &
  UnderstudyActions

/** Creates a viem client with viem's public, wallet and test actions and those of Understudy. Sends nothing yet. */
export function createUnderstudyClient<
  account extends Account | undefined = undefined,
  chain extends Chain | undefined = undefined,
>({
  url,
  apiKey,
  account,
  chain,
  pollingInterval = 250,
}: UnderstudyClientOptions<account, chain>): UnderstudyClient<account, chain> {
  // viem requires a chain of transactions, unless it is null: then it asks the network for the id where it needs one.
  const ofAny = null as unknown as undefined
  const transport = transportTo(url, apiKey)
  const client = createClient({ account, chain: chain ?? ofAny, transport, pollingInterval, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: 'anvil' }))
    .extend(understudyActions)
  return client as unknown as UnderstudyClient<account, chain>
}

function transportTo(url: string, apiKey: string | undefined): Transport {
  if (/^wss?:/.test(url)) return webSocket(url)
  return http(url, apiKey === undefined ? {} : { fetchOptions: { headers: { authorization: `Bearer ${apiKey}` } } })
}
