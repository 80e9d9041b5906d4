import { type Anvil, type ShapedChain, startAnvil, startShapedChain } from '@understudy/testkit'
import { concat, type Hex, numberToHex, pad, parseGwei } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

type Report = {
  hardfork: string
  blocks: number
  blocksAgree: number
  transactions: number
  transactionsAgree: number
  passed: { type: string; transactions: number }[]
  stopped: string | null
  differences: {
    transaction: Hex | null
    field: string
    here: string
    upstream: string
    cause: string
    explanation: string
  }[]
}
type Live = Pick<Anvil, 'rpc'>

let network: TestNetwork | undefined
let live: Anvil | ShapedChain | undefined
afterEach(async () => {
  await network?.stop()
  await live?.stop()
  network = undefined
  live = undefined
})

const forks = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const
type Fork = (typeof forks)[number]

/** Code that deploys this. */
const deploying = (runtime: Hex): Hex => {
  const length = (runtime.length - 2) / 2
  return concat([
    `0x60${length.toString(16).padStart(2, '0')}600c60003960${length.toString(16).padStart(2, '0')}6000f3`,
    runtime,
  ])
}
/** Adds one to slot 0, calls SHA-256 and identity, and logs. */
const counter = deploying('0x6000546001018060005560206000602060006000600260fff15060005260206000a000')
/** Clears slot 0, which was set: a refund. */
const clearing = deploying('0x60005415600d576000600055005b600160005500')
const reverting = deploying('0x60006000fd')
const invalid = deploying('0xfe')
/** What each fork brought, run in a constructor: PUSH0; TSTORE and MCOPY; the BLS addition; CLZ and P256VERIFY. */
const news: Partial<Record<Fork, Hex>> = {
  shanghai: '0x5f5fa000',
  cancun: '0x600160005d602060006020600060205e00',
  prague: '0x60006000610100600060006000600b610fa0f100',
  osaka: '0x60011e600055600060006000600060006101005af100',
}

/** Sends transactions of every kind that the fork knows, in several blocks. Returns how many. */
async function fill(chain: Live, fork: Fork): Promise<number> {
  const [from = '0x', to = '0x'] = await chain.rpc<Hex[]>('eth_accounts')
  const gasPrice = numberToHex(parseGwei('3'))
  let nonce = 0
  const send = (request: Record<string, unknown>) =>
    chain.rpc<Hex>('eth_sendTransaction', [
      { from, gas: '0x100000', gasPrice, nonce: numberToHex(nonce++), ...request },
    ])
  const mined = (hash: Hex) =>
    eventually(() => chain.rpc<{ contractAddress: Hex } | null>('eth_getTransactionReceipt', [hash]), Boolean)
  const contracts: (Hex | undefined)[] = []
  for (const data of [counter, clearing, reverting, invalid])
    contracts.push((await mined(await send({ data })))?.contractAddress)
  await chain.rpc('evm_setAutomine', [false])
  const together: Record<string, unknown>[] = [
    { to, value: '0x1' },
    ...contracts.map((contract) => ({ to: contract })),
    // In Berlin, anvil gives the refund of London for a slot that is cleared.
    ...contracts
      .filter((_, index) => fork !== 'berlin' || index !== 1)
      .map((contract) => ({ to: contract, data: '0x00ff' })),
    { to: contracts[0], accessList: [{ address: contracts[0], storageKeys: [pad('0x0')] }] },
  ]
  if (fork !== 'berlin')
    together.push({ to, gasPrice: undefined, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice })
  for (const [since, data] of Object.entries(news))
    if (forks.indexOf(fork) >= forks.indexOf(since as Fork)) together.push({ data })
  const hashes: Hex[] = []
  for (const request of together) hashes.push(await send(request))
  await chain.rpc('evm_mine')
  await chain.rpc('evm_setAutomine', [true])
  for (const hash of hashes) await mined(hash)
  return nonce
}

const check = (range?: object) =>
  (network as TestNetwork).rpc<Report>('dev_checkFidelity', ...(range === undefined ? [] : [range]))

describe('dev_checkFidelity', () => {
  it.each(forks)('reproduces every transaction of a live chain in %s', async (hardfork) => {
    live = await startAnvil({ hardfork })
    const sent = await fill(live, hardfork)
    network = await startNetwork({ forkUrls: [live.url], hardfork })
    const report = await check()
    expect(report.differences).toEqual([])
    expect(report).toMatchObject({ hardfork, transactions: sent, transactionsAgree: sent, passed: [], stopped: null })
    expect(report.blocksAgree).toBe(report.blocks)
  })

  it.each([
    ['paris', 'shanghai'],
    ['shanghai', 'cancun'],
    ['cancun', 'prague'],
    ['prague', 'osaka'],
  ] as const)('finds out that %s is chosen for a live chain in %s', async (hardfork, actual) => {
    live = await startAnvil({ hardfork: actual })
    const sent = await fill(live, actual)
    network = await startNetwork({ forkUrls: [live.url], hardfork })
    const report = await check()
    expect(report.transactions).toBe(sent)
    expect(report.transactionsAgree).toBeLessThan(sent)
    expect(report.differences.length).toBeGreaterThan(0)
    for (const difference of report.differences)
      expect(difference).toMatchObject({ cause: 'rule', explanation: expect.stringContaining(`rules of ${actual},`) })
  })

  it('takes few requests, and does without what upstream does not have', async () => {
    live = await startShapedChain({ anvil: { hardfork: 'cancun' } })
    const sent = await fill(live, 'cancun')
    network = await startNetwork({ forkUrls: [live.url], hardfork: 'cancun', pollIntervalMs: 60_000 })
    const before = live.requests()
    expect(await check()).toMatchObject({ transactions: sent, transactionsAgree: sent, blocks: 5 })
    // The newest block alone, then the four before it; one more each for what the traces of these leave out. Polls and the
    // attempts at a WebSocket may come between.
    expect(live.requests() - before).toBeLessThanOrEqual(12)
    live.reshape({ missing: ['debug_traceBlockByNumber', 'eth_getBlockReceipts'] })
    await network.restart()
    expect(await check()).toMatchObject({ transactions: sent, transactionsAgree: sent, differences: [] })
  })

  it('continues after a transaction that differs, on the state that the live chain had', async () => {
    live = await startAnvil({ hardfork: 'osaka' })
    const sent = await fill(live, 'osaka')
    network = await startNetwork({ forkUrls: [live.url], hardfork: 'shanghai' })
    const { differences, transactionsAgree } = await check()
    expect(transactionsAgree).toBe(sent - differences.length)
    expect(differences.map(({ cause, field }) => `${cause} ${field}`)).not.toContain('earlier validity')
    expect(differences.every(({ cause }) => cause === 'rule')).toBe(true)
  })

  it('tells a base fee that does not follow from the block before', async () => {
    live = await startAnvil({ hardfork: 'prague' })
    const sent = await fill(live, 'prague')
    await live.rpc('anvil_setNextBlockBaseFeePerGas', ['0x7'])
    await live.rpc('evm_mine')
    network = await startNetwork({ forkUrls: [live.url], hardfork: 'prague' })
    const report = await check()
    expect(report).toMatchObject({ transactions: sent, transactionsAgree: sent, blocks: 6, blocksAgree: 5 })
    expect(report.differences).toMatchObject([
      { transaction: null, field: 'baseFeePerGas', upstream: '7', cause: 'fee' },
    ])
  })

  it('stops at the number of blocks or transactions that is asked for', async () => {
    live = await startAnvil({ hardfork: 'prague' })
    await fill(live, 'prague')
    network = await startNetwork({ forkUrls: [live.url], hardfork: 'prague' })
    expect(await check({ transactions: 3 })).toMatchObject({ blocks: 1, transactions: 3, transactionsAgree: 3 })
    expect(await check({ blocks: 2 })).toMatchObject({ blocks: 2, blocksAgree: 2 })
    await expect(check({ blocks: 0 })).rejects.toThrow(/blocks/)
  })

  it('runs once in the background, after the first start', async () => {
    live = await startAnvil({ hardfork: 'prague' })
    const sent = await fill(live, 'prague')
    network = await startNetwork({ forkUrls: [live.url], hardfork: 'prague', checkFidelity: 100 })
    const info = () => (network as TestNetwork).rpc<{ fidelity: Report | null }>('dev_getNetworkInfo')
    const { fidelity } = await eventually(info, ({ fidelity: found }) => found !== null)
    expect(fidelity).toMatchObject({ transactions: sent, transactionsAgree: sent, hardfork: 'prague' })
    await network.restart()
    expect(await info()).toMatchObject({ fidelity })
  })

  it('is refused by a network that forks nothing', async () => {
    network = await startNetwork()
    await expect(check()).rejects.toThrow(/forks no live chain/)
  })
})
