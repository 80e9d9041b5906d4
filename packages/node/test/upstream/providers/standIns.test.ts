import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  endings,
  endpoints,
  type FaultProxy,
  type Faults,
  postJsonRpcBatch,
  providers,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  stateRefusals,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import { type Address, type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

const { abi } = artifacts.SlotReader
const slots = 75
/** Logs nothing in an empty log. */
const logger: Address = `0x${'22'.repeat(20)}`
const payee: Address = `0x${'33'.repeat(20)}`
const strangers = Array.from({ length: 75 }, (_, index): Address => pad(toHex(0x5_000_000 + index), { size: 20 }))
/** More blocks than twice what most providers allow a range of logs. */
const depth = 2_200

let anvil: Anvil
let proxy: FaultProxy
let second: FaultProxy
let live: TestClient
let reader: Address
let transactions: Hex[]
/** The live chain's answers to all reads. */
let expected: unknown[][]
let network: TestNetwork | undefined

beforeAll(async () => {
  anvil = await startAnvil({ args: ['--prune-history', '200'] })
  live = await connectClient(anvil.url)
  await Promise.all(strangers.map((address, index) => anvil.rpc('anvil_setBalance', [address, toHex(1_000 + index)])))
  await anvil.rpc('anvil_setCode', [logger, '0x60006000a000'])
  await anvil.rpc('anvil_mine', [toHex(depth / 2)])
  reader = await deployContract(live, artifacts.SlotReader)
  await write('fillFrom', 0n, BigInt(slots))
  for (let count = 0; count < 5; count++) {
    await requireSuccess(live, await live.sendTransaction({ to: logger }))
    await anvil.rpc('anvil_mine', [toHex(depth / 10)])
  }
  transactions = await signAll()
  expected = await readAll(anvil.url)
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  proxy = await startFaultProxy(anvil.url)
  second = await startFaultProxy(anvil.url)
})
afterEach(async () => {
  await network?.stop()
  network = undefined
  await proxy.stop()
  await second.stop()
})

async function write(functionName: 'fillFrom' | 'set', a: bigint, b: bigint): Promise<void> {
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b] }))
}

type Call = readonly [method: string, ...params: unknown[]]
const slotOf = (key: number): Hex => keccak256(`0x${toHex(key, { size: 32 }).slice(2)}${'00'.repeat(32)}`)

/** 150 addresses and slots, for ten clients. */
const readsOfClients = () => {
  const reads: Call[] = [
    ...strangers.map((address): Call => ['eth_getBalance', address, 'latest']),
    ...Array.from({ length: slots }, (_, key): Call => ['eth_getStorageAt', reader, slotOf(key), 'latest']),
  ]
  return Array.from({ length: 10 }, (_, client) => reads.filter((_, index) => index % 10 === client))
}

/** All of them at one time. */
const readAll = (url: string) => Promise.all(readsOfClients().map((calls) => postJsonRpcBatch(url, calls)))

/** 20 transactions, of which every fourth logs. */
function signAll(): Promise<Hex[]> {
  const fields = {
    gas: 50_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
    value: 1n,
    type: 'eip1559',
  } as const
  const signed = Array.from({ length: 20 }, (_, nonce) =>
    live.signTransaction({ ...fields, account: testAccounts[1], to: nonce % 4 === 0 ? logger : payee, nonce }),
  )
  return Promise.all(signed)
}

const receiptsOf = (url: string, hashes: readonly unknown[]) =>
  postJsonRpcBatch(
    url,
    hashes.map((hash): Call => ['eth_getTransactionReceipt', hash]),
  )

/** A new head of the live chain, and its state. */
async function followHead({ rpc }: TestNetwork, value: number): Promise<void> {
  await write('set', 200n, BigInt(value))
  const head = Number(await live.getBlockNumber())
  await eventually(
    () => rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    ({ base }) => base.number === head,
  )
  const { hash } = await live.getBlock()
  expect(await rpc('dev_getNetworkInfo')).toMatchObject({ base: { hash } })
  expect(Number(await rpc('eth_getStorageAt', reader, slotOf(200), 'latest'))).toBe(value)
}

type Log = { blockNumber: string; logIndex: string; blockHash: string }

/** The live chain's logs and its own of a range over its first block. */
async function logsOverBorder({ rpc }: TestNetwork, span: number): Promise<Log[]> {
  const { origin } = await rpc<{ origin: { number: number } }>('dev_getNetworkInfo')
  const fromBlock = toHex(Math.max(0, origin.number - span))
  const logs = await rpc<Log[]>('eth_getLogs', { address: logger, fromBlock, toBlock: 'latest' })
  const past = logs.filter(({ blockNumber }) => Number(blockNumber) <= origin.number)
  expect(past).toEqual(await anvil.rpc('eth_getLogs', [{ address: logger, fromBlock, toBlock: toHex(origin.number) }]))
  expect(past.length).toBeGreaterThan(span > depth / 2 ? 4 : -1)
  expect(logs.length - past.length).toBe(5)
  return logs
}

/** Everything that a user does first, with the endpoint that he has. */
async function useAll(forkUrls: readonly string[], faults: Faults): Promise<void> {
  const rows: Faults['logs'] = faults.logs ?? {}
  const span = Math.min(depth, 2 * (rows.blocks ?? 50) + 2)
  const started = await startNetwork({ forkUrls })
  network = started
  const { rpc } = started
  expect(await readAll(started.url)).toEqual(expected)
  const hashes = await postJsonRpcBatch(
    started.url,
    transactions.map((raw): Call => ['eth_sendRawTransaction', raw]),
  )
  await eventually(
    () => receiptsOf(started.url, hashes),
    (receipts) => receipts.every((receipt) => receipt !== null),
  )
  for (const value of [1, 2, 3]) await followHead(started, value)
  const hasLogs = !faults.missingMethods?.includes('eth_getLogs')
  const logs = hasLogs ? await logsOverBorder(started, span) : []
  if (!hasLogs) await expect(logsOverBorder(started, span)).rejects.toMatchObject({ code: -32000 })

  await started.restart()
  if (hasLogs) expect(await logsOverBorder(started, span)).toEqual(logs)
  const receipts = await receiptsOf(started.url, hashes)
  expect(receipts).toMatchObject(hashes.map((transactionHash) => ({ transactionHash, status: '0x1' })))
  expect(await rpc('eth_getBalance', payee, 'latest')).toBe(toHex(15))
  expect(await postJsonRpcBatch(started.url, readsOfClients()[4] as Call[])).toEqual(expected[4])
  await followHead(started, 4)
  expect(proxy.stats().requests + second.stats().requests).toBeLessThan(requestLimit)
}

/** Without faults, there are about sixty; one that takes no batches needs one for each read. */
const requestLimit = 1_000

describe('an endpoint', () => {
  it.each(Object.entries(endpoints))('that %s', async (_, faults) => {
    proxy.set(faults)
    await useAll([proxy.url], faults)
  })
})

describe('the first of two URLs', () => {
  it.each(['usageLimit', 'unauthorized', 'paymentRequired', 'freeTimeout', 'internal'] as const)(
    'ends with %s',
    async (ending) => {
      proxy.set({ later: { after: 15, refusal: endings[ending] } })
      await useAll([proxy.url, second.url], {})
      expect(second.stats().requests).toBeGreaterThan(0)
    },
  )

  it('has no state, and the second has', async () => {
    proxy.set({ prunedBelow: Number.MAX_SAFE_INTEGER, noState: stateRefusals.geth })
    await useAll([proxy.url, second.url], {})
  })
})

describe('a provider like', () => {
  const all = Object.entries<Faults>(providers)
  const some = process.env.SHORT_RUN === undefined ? all : all.filter((_, index) => index % 3 === 0)

  it.each(some)('%s', async (_, faults) => {
    proxy.set(faults)
    await useAll([proxy.url], faults)
  })
})
