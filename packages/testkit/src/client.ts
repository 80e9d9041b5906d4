import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  type Client,
  type ContractConstructorArgs,
  createClient,
  defineChain,
  encodeDeployData,
  type Hex,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  TransactionReceiptNotFoundError,
  type Transport,
  testActions,
  type WalletActions,
  walletActions,
} from 'viem'
import { testAccounts } from './accounts.ts'
import { postJsonRpc } from './jsonRpc.ts'

/** A viem client with the public, wallet and test actions, and an account that signs. */
export type TestClient = Client<Transport, Chain, Account> &
  PublicActions<Transport, Chain, Account> &
  WalletActions<Chain, Account> &
  TestActions

/** Connects viem to a node, of whatever chain id. It signs as the first of `testAccounts` unless another account is given. */
export async function connectClient(url: string, account: Account = testAccounts[0]): Promise<TestClient> {
  const id = Number(await postJsonRpc<Hex>(url, 'eth_chainId', []))
  const chain = defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  // Receipts of nodes on this machine are there at once: the four seconds that viem waits by default would be all of a test's time.
  // A test has a time limit of its own; viem's ten seconds are too few where the machine is busy.
  const transport = http(url, { retryCount: 0, timeout: 120_000 })
  // The version of ours begins with anvil/understudy.
  const isAnvil = (await postJsonRpc<string>(url, 'web3_clientVersion', [])).startsWith('anvil/v')
  return createClient({
    account,
    chain,
    transport: isAnvil ? withMinedTransactions(transport) : transport,
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: 'anvil' }))
}

/**
 * anvil answers a transaction before it has mined it. What a test reads after it has sent one must not depend on which
 * is quicker: where anvil mines each transaction at once, it waits for the receipt.
 */
function withMinedTransactions(transport: HttpTransport): HttpTransport {
  return (parameters) => {
    const connected = transport(parameters)
    const request: typeof connected.request = async (sent) => {
      const answer = await connected.request(sent)
      const isSent = /^eth_send(Raw)?Transaction$/.test(sent.method)
      if (isSent && (await connected.request({ method: 'anvil_getAutomine' })))
        while (!(await connected.request({ method: 'eth_getTransactionReceipt', params: [answer] })));
      return answer as never
    }
    return { ...connected, request }
  }
}

/** What `deployContract` needs of an artifact; every export of `artifacts` is one. */
export type DeployableArtifact<abi extends Abi = Abi> = { readonly abi: abi; readonly bytecode: Hex }

/** Deploys a contract, waits for its receipt and answers its address. Throws when the deployment reverted. */
export async function deployContract<const abi extends Abi>(
  client: TestClient,
  artifact: DeployableArtifact<abi>,
  args?: ContractConstructorArgs<abi>,
  /** Wei that the constructor is given. */
  value?: bigint,
): Promise<Address> {
  const data = encodeDeployData({
    abi: artifact.abi as Abi,
    bytecode: artifact.bytecode,
    args: args as readonly unknown[],
  })
  const hash = await client.sendTransaction({ data, value })
  const receipt = await requireSuccess(client, hash)
  if (!receipt.contractAddress) throw new Error(`Transaction ${hash} created no contract`)
  return receipt.contractAddress
}

/**
 * Waits for a transaction's receipt. Throws when it reverted.
 * Asks for the receipt itself: viem asks for it at new blocks only, and waits for ever when the last block came while it asked.
 */
export async function requireSuccess(client: TestClient, hash: Hex) {
  let receipt = await receiptOf(client, hash)
  for (; !receipt; receipt = await receiptOf(client, hash)) await new Promise((resolve) => setTimeout(resolve, 20))
  if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted`)
  return receipt
}

function receiptOf(client: TestClient, hash: Hex) {
  return client.getTransactionReceipt({ hash }).catch((error) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
}
