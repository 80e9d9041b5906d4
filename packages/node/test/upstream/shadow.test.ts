import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, connectClient, startAnvil, startFaultProxy } from '@understudy/testkit'
import { encodeFunctionData, type Hex, numberToHex, parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { openSocket } from '../rawSocket.ts'
import { runCommand } from '../runCommand.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { differing, type Receipt, receiptsAfter, runAgain, startTraffic } from './liveTraffic.ts'
import { type Counts, loadDivergences } from './shadow/divergenceCounts.ts'
import { upgradeSource } from './shadow/upgradeSource.ts'

type Divergence = {
  hash: Hex
  kind: string
  isCascade: boolean
  causedBy: Hex[]
  fields: string[]
  unexpected: string[]
  live: { status: string; reason: string | null; gasUsed: string }
  shadow: { status: string; reason: string | null; gasUsed: string } | null
}

/** How many transactions must come out the same where nothing that matters has changed. */
const transactions = Number(process.env.SHADOW_TRANSACTIONS ?? 60)

/** Funded accounts of its own: those of anvil trade on the live chain. */
const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const receiptOf = ({ status, gasUsed, logs }: Receipt) => [
  status,
  gasUsed,
  logs.map(({ address, topics, data }) => [address, topics, data]),
]

let live: Anvil
let traffic: Awaited<ReturnType<typeof startTraffic>>
beforeAll(async () => {
  live = await startAnvil({ args: ['--order', 'fifo'] })
  traffic = await startTraffic(live, await connectClient(live.url), 7)
})
afterAll(() => live?.stop())

const headOf = async () => BigInt(await live.rpc<Hex>('eth_blockNumber'))
/** Waits until a network has what the live chain has. */
async function follow({ client }: TestNetwork): Promise<void> {
  const head = await headOf()
  await eventually(
    () => client.getBlockNumber(),
    (number) => number >= head,
  )
}

it('runs nothing while nothing is changed, and finds no divergence where the change has no effect', {
  timeout: 30_000 + transactions * 60,
}, async () => {
  const network = await startNetwork({ forkUrls: [live.url], shadow: true, mnemonic })
  const counts = async () => (await network.rpc<{ counts: Counts }>('dev_getShadow')).counts
  await follow(network)
  await traffic.run(3, 8)
  await follow(network)
  expect(await counts()).toEqual({ same: 0, diverged: 0, refused: 0, unreproducible: 0 })

  // It goes on when it starts again without the option.
  await network.restart({ shadow: false })
  expect(await network.rpc('dev_getShadow')).toMatchObject({ enabled: true, isActive: true })

  // The same code, written here: every transfer of the token touches it.
  const { tokenA } = traffic.uniswap
  const code = await live.rpc<Hex>('eth_getCode', [tokenA, 'latest'])
  await network.rpc('dev_setCode', tokenA, code)
  await traffic.run(transactions / 10, 10)
  await follow(network)
  const { same, ...others } = await counts()
  expect(others).toEqual({ diverged: 0, refused: 0, unreproducible: 0 })
  expect(same).toBeGreaterThan(transactions / 3)
  await network.stop()
})

describe('shadowing of a change that matters', () => {
  let network: TestNetwork
  const code = compileSource('Upgrade.sol', upgradeSource).Upgrade?.imported.deployedBytecode as Hex
  /** The blocks in which something diverged, what of it, and what of it has another status. */
  let known: { from: bigint; to: bigint; found: Divergence[]; failing: Divergence[] }

  const untilThere = () => follow(network)
  const divergences = (options: Record<string, unknown> = {}) =>
    loadDivergences<Divergence>(network.rpc, { limit: 7, ...options })

  beforeAll(async () => {
    network = await startNetwork({ forkUrls: [live.url], shadow: true, mnemonic })
    await untilThere()
    const from = (await headOf()) + 1n
    await network.rpc('dev_setCode', traffic.uniswap.tokenA, code)
    // While anvil mines, it can answer for its newest block with the state of the next one: see docs/shadow.md.
    for (let block = 0; block < 10; block++) {
      await traffic.run(1, 10)
      await untilThere()
    }
    const found = await divergences({ fromBlock: Number(from) })
    known = {
      from,
      to: await headOf(),
      found,
      failing: found.filter(({ fields }) => fields.includes('status')),
    }
  })
  afterAll(() => network?.stop())

  it('names exactly the transactions that diverge when all of them run again', { timeout: 90_000 }, async () => {
    const { from, to, found } = known
    const upgrade = (anvil: Anvil) => anvil.rpc('anvil_setCode', [traffic.uniswap.tokenA, code])
    const receipts = await receiptsAfter(live, from - 1n, to)
    const again = await runAgain(live, from - 1n, upgrade, to)
    expect(found.filter(({ kind }) => kind !== 'diverged')).toEqual([])
    const seen = (fields: string[]) =>
      found.filter((each) => each.fields.some((field) => fields.includes(field))).map(({ hash }) => hash)
    expect(seen(['status', 'gas', 'logs']).sort()).toEqual(differing(receipts, again, receiptOf).sort())
    expect(seen(['status']).sort()).toEqual(differing(receipts, again, ({ status }) => status).sort())
    expect(seen(['status']).length).toBeGreaterThan(3)

    const cascades = found.filter(({ isCascade }) => isCascade)
    const hashes = new Set(found.map(({ hash }) => hash))
    expect(cascades.every(({ causedBy }) => causedBy.length > 0 && causedBy.every((hash) => hashes.has(hash)))).toBe(
      true,
    )
    expect(cascades.length).toBeGreaterThan(0)
    const range = { fromBlock: Number(from), toBlock: Number(to) }
    const failing = await divergences({ ...range, rules: ['only status'] })
    expect(failing.map(({ hash }) => hash)).toEqual(seen(['status']))
    expect(failing.every(({ unexpected }) => unexpected.join() === 'status')).toBe(true)
  })

  it('shows each of them in a block of its own, and runs it again as it ran', async () => {
    for (const { hash, shadow } of known.found.slice(0, 12)) {
      const receipt = await network.client.getTransactionReceipt({ hash })
      expect(receipt.gasUsed).toBe(BigInt(shadow?.gasUsed ?? 0))
      const trace = await network.rpc<{ gas: number; failed: boolean }>('debug_traceTransaction', hash, {})
      expect([BigInt(trace.gas), trace.failed]).toEqual([receipt.gasUsed, shadow?.status === 'failed'])
    }
  })

  it('shows tokens, variables and causes', async () => {
    const imported = compileSource('Upgrade.sol', upgradeSource).Upgrade?.imported
    await network.rpc('dev_importContracts', { contracts: [imported] })
    type Shown = Divergence & {
      tokens: {
        token: Hex
        live: string | null
        shadow: string | null
        symbol: string | null
        decimals: number | null
      }[]
      storage: { address: Hex; variables: string[] }[]
    }
    const query = { fromBlock: Number(known.from), toBlock: Number(known.to) }
    const found = await loadDivergences<Shown>(network.rpc, query)
    const { tokenA, tokenB } = traffic.uniswap
    const tokens = found.flatMap((each) => each.tokens)
    const other = tokens.find(({ token }) => token === tokenB.toLowerCase())
    expect(other).toMatchObject({ symbol: expect.any(String), decimals: 18 })
    const moved = found.find(({ fields }) => fields.includes('status'))?.tokens ?? []
    const sum = moved.reduce((total, { live: value }) => total + BigInt(value ?? 0), 0n)
    expect([moved.length > 1, sum]).toEqual([true, 0n])
    const named = found.flatMap(({ storage }) => storage).filter(({ address }) => address === tokenA.toLowerCase())
    expect(named.flatMap(({ variables }) => variables)).toContainEqual(expect.stringMatching(/^balanceOf\[0x/))

    type Shares = { same: number; diverged: number; refused: number; unreproducible: number }
    type Counted = {
      groups: { contract: string | null; cause: string; count: number; isCascade: boolean }[]
      spans: Shares[]
    }
    const { groups, spans } = await network.rpc<Counted>('dev_getDivergenceCounts', query)
    expect(groups.reduce((total, { count }) => total + count, 0)).toBe(found.length)
    expect(groups.map(({ cause }) => cause)).toContainEqual(expect.stringMatching(/^It fails here: .*TRANSFER|sevens/))
    expect(spans.reduce((total, { diverged }) => total + diverged, 0)).toBe(found.length)
    const only = await network.rpc<Counted>('dev_getDivergenceCounts', { ...query, rules: ['only status'] })
    expect(only.groups.reduce((total, { count }) => total + count, 0)).toBe(known.failing.length)

    const [from = '0x', to = '0x'] = traffic.accounts
    const data = encodeFunctionData({ abi: parseAbi(['function transfer(address, uint256)']), args: [to, 7n] })
    const hash = await traffic.send(from, tokenA, data)
    await traffic.mine()
    await untilThere()
    const { items } = await network.rpc<{ items: object[] }>('dev_getDivergences', { hash, lines: true })
    expect(items).toMatchObject([{ line: { file: 'Upgrade.sol', function: 'Upgrade.move' } }])
  })

  it('sorts out what rules expect', async () => {
    const range = { fromBlock: Number(known.from), toBlock: Number(known.to) }
    const hashesOf = (found: readonly Divergence[]) => found.map(({ hash }) => hash)
    type Logged = Divergence & { logs: Record<'live' | 'shadow', { topics: Hex[] } | null>[] }
    const all = await loadDivergences<Logged>(network.rpc, { ...range, expected: true })
    const filtered = async (...rules: string[]) => hashesOf(await divergences({ ...range, rules }))

    const change = ({ live: there, shadow: here }: Divergence) =>
      (Math.abs(Number(here?.gasUsed) - Number(there.gasUsed)) / Number(there.gasUsed)) * 100
    const changes = all.map(change).toSorted((one, other) => one - other)
    const limit = (changes[Math.floor(changes.length / 2)] ?? 0).toFixed(3)
    const above = all.filter((each) => each.fields.includes('gas') && change(each) >= Number(limit))
    expect(above.length).toBeGreaterThan(0)
    expect(above.length).toBeLessThan(all.length)
    expect(await filtered('only gas', `ignore gas below ${limit} %`)).toEqual(hashesOf(above))
    expect(await filtered('only gas', 'ignore gas')).toEqual([])

    const hasTopic = (topic: Hex, logs: Logged['logs']) =>
      logs.some(({ live: there, shadow: here }) => [there, here].some((log) => log?.topics[0] === topic))
    for (const event of [
      'Transfer(address,address,uint256)',
      'Swap(address,uint256,uint256,uint256,uint256,address)',
    ]) {
      const topic = toEventSelector(event)
      const emitting = all.filter(({ logs }) => hasTopic(topic, logs))
      expect(emitting.length).toBeGreaterThan(0)
      expect(emitting.length).toBeLessThan(all.length)
      expect(await filtered(`only event ${topic}`)).toEqual(hashesOf(emitting))
    }
    expect(await filtered('only event Transfer')).toEqual(
      await filtered(`only event ${toEventSelector('Transfer(address,address,uint256)')}`),
    )
    expect(await filtered('only event NoSuchEvent')).toEqual([])
  })

  it('announces what diverges, unless a rule expects it', async () => {
    const socket = await openSocket(network.url)
    const subscription = await socket.request<string>('eth_subscribe', 'dev_divergences')
    const head = await headOf()
    await network.rpc('dev_setShadow', { rules: ['only status'] })
    await traffic.run(3, 10)
    await untilThere()
    const found = await divergences({ fromBlock: Number(head) + 1 })
    expect(found.length).toBeGreaterThan(0)
    const announced = async () => socket.notified<Divergence>(subscription)
    await eventually(announced, ({ length }) => length >= found.length)
    expect(await announced()).toEqual(found.toReversed())
    await network.rpc('dev_setShadow', { rules: [] })
    await socket.close()
  })

  it('finds the same in the past', { timeout: 90_000 }, async () => {
    const { tokenA } = traffic.uniswap
    const folder = mkdtempSync(join(tmpdir(), 'understudy-backtest-'))
    const file = (name: string) => join(folder, name)
    writeFileSync(file('changes.json'), JSON.stringify([{ method: 'dev_setCode', params: [tokenA, code] }]))
    const { from, to } = known
    const failing = known.failing.map(({ hash }) => hash)
    const blocks = ['--blocks', `${from}..${to}`, '--rule', 'only status', '--json', '--junit', file('junit.xml')]
    // Killed when it has read some blocks, it goes on where it was.
    const proxy = await startFaultProxy(live.url)
    const args = ['--changes', file('changes.json'), '--data-dir', file('data'), ...blocks]
    const backtest = () => runCommand(['backtest', '--fork-url', proxy.url, ...args], folder)
    const killed = backtest()
    const middle = numberToHex((from + to) / 2n + 3n)
    await new Promise<void>((resolve) => {
      proxy.set({
        answer({ method, params = [] }) {
          if (method !== 'debug_traceBlockByNumber' || params[0] !== middle) return undefined
          resolve()
          return new Promise(() => {})
        },
      })
    })
    killed.child.kill('SIGKILL')
    await killed.ended
    proxy.clear()
    proxy.resetStats()
    const { code: exitCode, stdout, stderr } = await backtest().ended
    expect(stderr).toBe('')
    expect(proxy.stats().byMethod.debug_traceBlockByNumber).toBeLessThan(Number(to - from))
    await proxy.stop()
    const report = JSON.parse(stdout) as { divergences: Divergence[]; counts: Counts }
    expect(report.divergences.map(({ hash }) => hash).sort()).toEqual(failing.toSorted())
    expect(exitCode).toBe(1)
    const junit = readFileSync(file('junit.xml'), 'utf8')
    const [, tests, failures] = /<testsuite name="backtest of .*" tests="(\d+)" failures="(\d+)"/.exec(junit) ?? []
    expect(junit.match(/<testcase /g)).toHaveLength(Number(tests))
    expect(junit.match(/<failure /g)).toHaveLength(Number(failures))
    for (const hash of failing) expect(junit).toContain(hash)
    expect(junit).toContain('TransferHelper: TRANSFER_FROM_FAILED')

    const reported = ['--rule', 'only status', '--rpc-url', network.url, '--json', '--junit', file('live.xml')]
    const running = await runCommand(['divergences', ...reported], folder).ended
    const found = JSON.parse(running.stdout) as { divergences: Divergence[] }
    expect([running.code, running.stderr]).toEqual([1, ''])
    expect(found.divergences.map(({ hash }) => hash)).toEqual(expect.arrayContaining(failing))
    expect(readFileSync(file('live.xml'), 'utf8')).toContain('TransferHelper: TRANSFER_FROM_FAILED')
    rmSync(folder, { recursive: true })
  })

  it('counts nothing twice when the live chain replaces blocks', async () => {
    await traffic.run(3, 4)
    await untilThere()
    const before = (await headOf()) - 4n
    const mark: [Hex, Hex] = ['0x00000000000000000000000000000000000000aa', '0x1234']
    await network.rpc('dev_setCode', ...mark)
    await live.rpc('anvil_reorg', [3, []])
    await traffic.renew()
    await traffic.run(4, 8)
    await untilThere()
    const { tokenA } = traffic.uniswap
    expect(await network.client.getCode({ address: tokenA })).toBe(code)
    const receipts = await receiptsAfter(live, before)
    const touching = receipts.filter(({ logs }) => logs.some(({ address }) => address === tokenA.toLowerCase()))
    const seen = await Promise.all(
      touching.map(({ transactionHash }) => network.client.getTransactionReceipt({ hash: transactionHash })),
    )
    expect(seen.map(({ transactionHash }) => transactionHash)).toEqual(touching.map((each) => each.transactionHash))
    const removed = await divergences({ fromBlock: Number(before) + 1 })
    const there = new Set(receipts.map(({ transactionHash }) => transactionHash))
    expect(removed.filter(({ hash }) => !there.has(hash))).toEqual([])
    expect(await network.client.getCode({ address: mark[0] })).toBe(mark[1])
  })

  it('runs only the transactions that it is told to', async () => {
    const { tokenA, tokenB } = traffic.uniswap
    /** Mines a block; returns its transactions and those that ran here. */
    const ran = async (kinds: readonly ('token' | 'swap')[]) => {
      const sent: Hex[] = []
      for (const kind of kinds) sent.push(await traffic.trade(kind))
      await traffic.mine()
      await untilThere()
      const block = await network.client.getBlock({ blockNumber: await headOf() })
      return { sent, here: block.transactions }
    }
    const settings = await network.rpc<Record<string, unknown>>('dev_getShadow')
    const set = (given: Record<string, unknown>) => network.rpc('dev_setShadow', given)

    await set({ contracts: [tokenB] })
    const { sent, here } = await ran(['swap', 'token', 'token', 'swap', 'token', 'token', 'token'])
    const touching = (await receiptsAfter(live, (await headOf()) - 1n)).filter(({ to }) => to !== tokenA.toLowerCase())
    expect(here.length).toBeGreaterThan(1)
    expect(here.length).toBeLessThan(sent.length)
    expect(touching.map(({ transactionHash }) => transactionHash)).toEqual(expect.arrayContaining(here))

    await set({ contracts: [], share: 0.5 })
    const shared = await ran(Array.from({ length: 16 }, () => 'swap' as const))
    const chosen = shared.sent.filter((hash) => Number.parseInt(hash.slice(2, 10), 16) < 2 ** 31)
    expect(shared.here).toEqual(chosen)

    await set({ share: 1, from: numberToHex((await headOf()) + 2n) })
    expect((await ran(['swap'])).here).toEqual([])
    const later = await ran(['swap'])
    expect(later.here).toEqual(later.sent)
    await set({ from: '0x0' })
    expect(await network.rpc('dev_getShadow')).toMatchObject({ contracts: [], share: 1, speed: settings.speed })
  })

  it('catches up no faster than it is told to', async () => {
    await network.rpc('dev_setShadow', { speed: 4 })
    const { timestamp } = await network.client.getBlock()
    const started = performance.now()
    for (let block = 1n; block <= 4n; block++) {
      await live.rpc('evm_setNextBlockTimestamp', [numberToHex(timestamp + block * 2n)])
      await traffic.run(1, 1)
    }
    await untilThere()
    // Blocks are two seconds apart; the first of them waits for none.
    expect(performance.now() - started).toBeGreaterThan(3 * 500)
    await network.rpc('dev_setShadow', { speed: 0 })
    expect(await network.rpc('dev_getShadow')).toMatchObject({ speed: null })
  })
})
