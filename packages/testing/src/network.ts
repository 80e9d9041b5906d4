import { type UnderstudyActions, understudyActions } from '@understudy/client'
import {
  type Address,
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type HttpTransport,
  http,
  type JsonRpcAccount,
  type PublicClient,
  type TestClient,
  toHex,
  type WalletClient,
} from 'viem'

export type BranchOptions = {
  /** In the branch's URL: 1 to 100 letters, digits, or any of `. _ / # @ + : -`. Its id by default. */
  name?: string
  /** The block that the branch begins with. The newest state by default. */
  at?: bigint
  /** Seconds after which the branch is removed, if it is still there. Never by default. */
  ttl?: number
  /** Removes it when the network's process ends, too; its changes are not flushed to the disk. Default: false. */
  ephemeral?: boolean
}

/** A network, or a branch of one, with viem's clients. */
export type Network = {
  /** Where it answers JSON-RPC over HTTP and shows its dashboard. */
  url: string
  /** Where it answers JSON-RPC over WebSocket. */
  wsUrl: string
  /** The funded accounts. They send transactions without a key. */
  accounts: readonly Address[]
  publicClient: PublicClient<HttpTransport, Chain>
  /** Sends from the first account, unless a call names another. */
  walletClient: WalletClient<HttpTransport, Chain, JsonRpcAccount>
  /** With the actions of `@understudy/client`: `testClient.dev.setBalance(…)`. */
  testClient: TestClient<'anvil', HttpTransport, Chain> & UnderstudyActions
  /** Makes a network that begins with everything that this one has, and goes its own way. */
  createBranch(options?: BranchOptions): Promise<Branch>
}

export type Branch = Network & {
  id: string
  name: string
  /** The newest block that it has of its parent. */
  blockNumber: bigint
  /** Removes the branch and all that happened in it, unless it is kept. */
  remove(): Promise<void>
  /**
   * Keeps the branch: `remove` leaves it from now on. With a title, such as that of a test, it is named after it. Returns the
   * URL where its dashboard is. A branch with a `ttl` is removed at its end all the same.
   */
  keep(title?: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Milliseconds between polls for receipts and blocks: a transaction is in a block when it is answered. */
const pollingInterval = 50

/** Connects to a network that runs, at its URL. */
export async function connectNetwork(url: string): Promise<Network> {
  const client = createWalletClient({ transport: http(url) })
  const [id, accounts] = await Promise.all([client.getChainId(), client.getAddresses()])
  return networkAt({ url, wsUrl: url.replace(/^http/, 'ws') }, id, accounts)
}

function networkAt(
  { url, wsUrl }: { url: string; wsUrl: string },
  chainId: number,
  accounts: readonly Address[],
): Network {
  const chain = defineChain({
    id: chainId,
    name: `Understudy (chain ${chainId})`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url], webSocket: [wsUrl] } },
    testnet: true,
  })
  const common = { chain, transport: http(url), pollingInterval, cacheTime: 0 }
  const publicClient = createPublicClient(common)
  const testClient = createTestClient({ ...common, mode: 'anvil' }).extend(understudyActions)
  return {
    url,
    wsUrl,
    accounts,
    publicClient,
    walletClient: createWalletClient({ ...common, account: accounts[0] as Address }),
    testClient,
    async createBranch({ name, at, ttl, ephemeral } = {}) {
      const { id, ...made } = await testClient.dev.createBranch({ name, at: at && toHex(at), ttl, ephemeral })
      let isKept = false
      const remove = async () => {
        if (!isKept) await testClient.dev.removeBranch({ branch: id })
      }
      return {
        ...networkAt(made, chainId, accounts),
        id,
        name: made.name,
        blockNumber: BigInt(made.blockNumber),
        remove,
        async keep(title) {
          isKept = true
          return title === undefined
            ? made.url
            : (await testClient.dev.renameBranch({ branch: id, name: nameFrom(title, id) })).url
        },
        [Symbol.asyncDispose]: remove,
      }
    },
  }
}

/** Titles of tests are not unique, and have spaces. */
function nameFrom(title: string, id: string): string {
  return `${title.replaceAll(/[^\w.#@+:-]+/g, '-').slice(0, 80)}-${id.slice(-6)}`
}
