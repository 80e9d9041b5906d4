import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  postJsonRpc,
  startAnvil,
  testAccounts,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { startUnderstudy, type Understudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'

const items = 1_000
const rounds = 400
const batches = 15
const batchSize = 100
const holderOf = (index: number): Address => `0x${index.toString(16).padStart(40, 'a')}`

type Server = Understudy & { token: Address; nonce: number; chainId: number }

async function prepare(anvil: Anvil, tracked: number): Promise<Server> {
  const server = await startUnderstudy(['--fork-url', anvil.url, '--no-follow-head'])
  const client = await connectClient(server.url)
  const token = await deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', parseEther('1000')])
  const functionAbi = 'function balanceOf(address) view returns (uint256)'
  for (let index = 0; index < tracked; index++) {
    const functionArgs = JSON.stringify([holderOf(index)])
    const item = { address: token, name: `holder ${index}`, type: 'function-result', functionAbi, functionArgs }
    await postJsonRpc(server.url, 'dev_addTrackedData', [item])
  }
  const nonce = await client.getTransactionCount({ address: testAccounts[0].address })
  return { ...server, token, nonce, chainId: client.chain.id }
}

/** A transfer of the token between addresses that no item tracks: it touches the contract of all items, and no value. */
function signTransfer(server: Server): Promise<Hex> {
  const data = encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'transfer', args: [server.token, 1n] })
  return testAccounts[0].signTransaction({
    chainId: server.chainId,
    nonce: server.nonce++,
    to: server.token,
    data,
    gas: 100_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
    type: 'eip1559',
  })
}

async function timeOne(server: Server): Promise<number> {
  const raw = await signTransfer(server)
  const start = performance.now()
  await postJsonRpc(server.url, 'eth_sendRawTransaction', [raw])
  return (performance.now() - start) * 1000
}

async function timeBatch(server: Server): Promise<number> {
  const body: unknown[] = []
  for (let id = 0; id < batchSize; id++)
    body.push({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [await signTransfer(server)] })
  const start = performance.now()
  const response = await fetch(server.url, { method: 'POST', body: JSON.stringify(body) })
  const answers = (await response.json()) as { error?: unknown }[]
  const failed = answers.find(({ error }) => error)
  if (failed) throw new Error(JSON.stringify(failed))
  return ((performance.now() - start) * 1000) / batchSize
}

/** The medians of both servers, which take turns; the first quarter warms up. */
async function inTurns(servers: readonly Server[], count: number, time: (server: Server) => Promise<number>) {
  const times = servers.map((): number[] => [])
  for (let round = 0; round < count; round++)
    for (let turn = 0; turn < servers.length; turn++) {
      // The first server in a round is slower, so the order changes.
      const index = (round + turn) % servers.length
      const took = await time(servers[index] as Server)
      if (round >= count / 4) times[index]?.push(took)
    }
  return times.map(median)
}

/** Prints the time of a transaction without tracked items, and with many that it does not touch. */
export async function compareTransactions(): Promise<void> {
  const anvil = await startAnvil()
  const servers = [await prepare(anvil, 0), await prepare(anvil, items)] as const
  try {
    console.log(`| a signed token transfer, sealed and durable | no item | ${items} every-tx items | ratio |`)
    console.log('|---|---|---|---|')
    const rows = [
      ['one at a time', await inTurns(servers, rounds, timeOne)],
      [`in batches of ${batchSize}`, await inTurns(servers, batches, timeBatch)],
    ] as const
    for (const [name, [none = 0, many = 0]] of rows)
      console.log(`| ${name} | ${formatDuration(none)} | ${formatDuration(many)} | ${(many / none).toFixed(3)} |`)
    const [{ id } = { id: '' }] = await postJsonRpc<{ id: string }[]>(servers[1].url, 'dev_getTrackedData', [])
    const { values } = await postJsonRpc<{ values: unknown[] }>(servers[1].url, 'dev_getTrackedDataValues', [id])
    console.log(`\nEach item has ${values.length} entries then.\n`)
  } finally {
    for (const server of servers) await server.stop()
    await anvil.stop()
  }
}
