import { type Anvil, createFakeClock, type FakeClock, startAnvil } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { isInDatabase } from '../../testDatabase.ts'
import { type Rpc, timesOf } from './blockTimes.ts'
import { withRealTimers } from './realTimers.ts'

const start = 2_000_000_000

let anvil: Anvil
let clock: FakeClock
let network: TestNetwork | undefined
const live: Rpc = (method, ...params) => anvil.rpc(method, params)
const rpc: Rpc = (method, ...params) => (network as TestNetwork).rpc(method, ...params)
const times = timesOf(rpc)

/** Seals a block of the live chain at this second after the start. */
const liveBlock = async (second: number) => live('evm_mine', numberToHex(start + second))
const seconds = async (block: Hex | 'latest' | 'pending' = 'latest') => (await times.at(block)) - start
/** Waits for a block on the newest one of the live chain. */
async function followed(): Promise<void> {
  const number = Number(await live<Hex>('eth_blockNumber'))
  await eventually(
    () => rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    ({ base }) => base.number === number,
  )
}

beforeEach(async () => {
  anvil = await startAnvil({ args: ['--timestamp', String(start - 100)] })
  await liveBlock(0)
  clock = createFakeClock((start + 1) * 1000)
})
afterEach(async () => {
  await network?.stop()
  network = undefined
  await anvil.stop()
})

/** Starts a network whose time stands still, while its timers run. */
async function open(options: Parameters<typeof startNetwork>[0] = {}): Promise<void> {
  network = await startNetwork({ forkUrls: [anvil.url], accounts: 1, ...options }, { clock: withRealTimers(clock) })
}

describe('blocks for heads of the live chain', () => {
  it('are later than their parents, and not earlier than the heads', async () => {
    await open()
    await liveBlock(12)
    await followed()
    expect(await seconds()).toBe(12)
    for (let sent = 0; sent < 5; sent++) await times.send()
    expect(await seconds()).toBe(17)
    await liveBlock(14)
    await followed()
    expect(await seconds()).toBe(18)
    clock.advance(30_000)
    await liveBlock(24)
    await followed()
    expect(await seconds()).toBe(31)
  })

  it('share their time once heads do', async () => {
    await open()
    await liveBlock(12)
    await followed()
    await times.send()
    expect(await seconds()).toBe(13)
    await liveBlock(12)
    await followed()
    expect(await seconds()).toBe(13)
    await times.send()
    expect(await seconds()).toBe(13)
    await liveBlock(13)
    await followed()
    expect(await seconds()).toBe(13)
    await rpc('evm_setNextBlockTimestamp', start + 13)
    await rpc('evm_mine')
    expect(await seconds()).toBe(13)
  })

  it('share their time where they are sealed several times a second', async () => {
    await open({ mine: 'manual' })
    await rpc('evm_mine')
    await rpc('evm_setIntervalMining', 0.05)
    const first = await times.head()
    await eventually(times.head, (head) => head > first + 20)
    expect(await seconds()).toBe(1)
    await rpc('evm_setIntervalMining', 0)
    const pending = await seconds('pending')
    await rpc('evm_mine')
    expect([pending, await seconds()]).toEqual([2, 2])
  })
})

describe('replayed blocks', () => {
  it('have the times of the live chain, also equal ones', async () => {
    await open({ mine: 'replay' })
    for (const second of [12, 12, 13, 13, 13, 25]) await liveBlock(second)
    await followed()
    const head = await times.head()
    const last = Array.from({ length: 6 }, (_, index) => numberToHex(head - 5 + index))
    expect(await Promise.all(last.map((block) => seconds(block)))).toEqual([12, 12, 13, 13, 13, 25])
  })

  it('follow a block of its own that is later, each at a later time', async () => {
    await open({ mine: 'replay' })
    await liveBlock(12)
    await followed()
    await rpc('evm_mine', start + 24)
    await liveBlock(24)
    await followed()
    expect(await seconds()).toBe(25)
    await liveBlock(36)
    await followed()
    expect(await seconds()).toBe(36)
  })

  it('take a time that was set for the next block', async () => {
    await open({ mine: 'replay' })
    await rpc('evm_setNextBlockTimestamp', start + 500)
    expect(await times.seen('pending')).toMatchObject({ time: start + 500 })
    await liveBlock(12)
    await followed()
    expect(await seconds()).toBe(500)
    await liveBlock(24)
    await followed()
    expect(await seconds()).toBe(501)
  })

  it('are those of the live chain also after wipes, which belong to the next of them', async () => {
    await open({ mine: 'replay' })
    const stranger = `0x${'5e'.repeat(20)}`
    const contract = `0x${'c0'.repeat(20)}`
    for (const second of [12, 24, 36]) {
      await liveBlock(second)
      await followed()
      const number = await times.head()
      await rpc('dev_setBalance', stranger, '5')
      await rpc('dev_setStorageAt', contract, '0x1', `0x${'11'.repeat(32)}`)
      expect(await rpc('mock_wipeLocalState')).toMatchObject({
        blockNumber: number + 1,
        accountsCleared: 2,
        // The contract's, and the hash of the parent (EIP-2935).
        slotsCleared: 2,
      })
      expect(await times.head()).toBe(number)
      expect(await rpc('eth_getBalance', stranger, 'latest')).toBe('0x0')
      const [account] = await rpc<Hex[]>('eth_accounts')
      expect(BigInt(await rpc<Hex>('eth_getBalance', account, 'latest'))).toBe(10_000n * 10n ** 18n)
    }
    await liveBlock(48)
    await followed()
    for (const back of [0, 1, 2]) {
      const block = numberToHex((await times.head()) - back)
      const [ours, theirs] = await Promise.all([rpc, live].map((ask) => timesOf(ask).at(block)))
      expect(ours).toBe(theirs)
    }
    expect(await times.head()).toBe(Number(await live<Hex>('eth_blockNumber')))
    const { items } = await rpc<{ items: object[] }>('dev_getSlotHistory', contract, '0x1', { limit: 2 })
    expect(items).toMatchObject([{ cause: 'wipe' }, { cause: 'setStorageAt' }])
    await (network as TestNetwork).restart()
    expect(await rpc('eth_getBalance', stranger, 'latest')).toBe('0x0')
    expect(await rpc('eth_getStorageAt', contract, '0x1', 'latest')).toBe(`0x${'00'.repeat(32)}`)
  })
})

describe('--timestamp', () => {
  // A network that several nodes share refuses to restart elsewhere.
  it.skipIf(isInDatabase)(
    'is the time of the clock at the first start and after a reset, and not at other starts',
    async () => {
      await open({ timestamp: start + 1000, followHead: false })
      await rpc('evm_mine')
      expect(await seconds()).toBe(1000)
      clock.advance(10_000)
      await (network as TestNetwork).restart()
      await times.send()
      expect(await seconds()).toBe(1010)
      clock.advance(10_000)
      await rpc('anvil_reset')
      expect(await seconds('pending')).toBe(1000)
      await rpc('evm_mine')
      expect(await seconds()).toBe(1000)
      await liveBlock(5000)
      await rpc('anvil_reset', { forking: { blockNumber: Number(await live<Hex>('eth_blockNumber')) } })
      await rpc('evm_mine')
      expect(await seconds()).toBe(5001)
    },
  )

  it('stays before the first block', async () => {
    await open({ timestamp: start + 1000, followHead: false })
    clock.advance(7_000)
    await (network as TestNetwork).restart()
    await rpc('evm_mine')
    expect(await seconds()).toBe(1007)
  })

  it('is refused if it is not later than the forked block', async () => {
    for (const second of [0, -1])
      await expect(open({ timestamp: start + second })).rejects.toThrow(
        /^--timestamp: \d+ is not later than block 1 of the live chain, which has the time 2000000000/,
      )
  })

  it('is the time of the first block of a network that forks nothing', async () => {
    network = await startNetwork({ timestamp: 1_500_000_000, accounts: 1 }, { clock })
    expect(await times.at('0x0')).toBe(1_500_000_000)
    await rpc('evm_mine')
    expect(await times.at('latest')).toBe(1_500_000_001)
    clock.advance(10_000)
    await rpc('evm_mine')
    expect(await times.at('latest')).toBe(1_500_000_010)
  })
})

describe('blocks for transactions and at an interval', () => {
  it('are sealed both, and each part can be turned off', async () => {
    network = await startNetwork({ mine: 'instant:5', accounts: 1 }, { clock })
    const modes = async () => ({
      mode: (await rpc<{ mode: string }>('dev_getNetworkInfo')).mode,
      automine: await rpc('anvil_getAutomine'),
      interval: await rpc('anvil_getIntervalMining'),
    })
    const tick = async () => {
      const head = await times.head()
      clock.advance(5_000)
      await eventually(times.head, (now) => now === head + 1)
    }
    expect(await modes()).toEqual({ mode: 'instant:5', automine: true, interval: 5 })
    expect(await times.between(times.send)).toEqual([1])
    await tick()
    await tick()
    expect(await times.between(times.send)).toEqual([1])
    await network.restart({ mine: undefined })
    expect(await modes()).toEqual({ mode: 'instant:5', automine: true, interval: 5 })
    await tick()
    await rpc('evm_setAutomine', true)
    expect(await modes()).toEqual({ mode: 'instant:5', automine: true, interval: 5 })
    await rpc('evm_setAutomine', false)
    expect(await modes()).toEqual({ mode: 'interval:5', automine: false, interval: 5 })
    expect(await times.between(times.send)).toEqual([])
    await tick()
    expect(await rpc('eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x1')
    await rpc('dev_setMiningMode', 'instant:7.5')
    expect(await modes()).toEqual({ mode: 'instant:7.5', automine: true, interval: 7.5 })
    await rpc('dev_setMiningMode', 'instant')
    expect(await modes()).toEqual({ mode: 'instant', automine: true, interval: null })
    expect(clock.pending().filter((wait) => wait === 5_000 || wait === 7_500)).toEqual([])
    await rpc('dev_setMiningMode', 'instant:5')
    // As in anvil, this leaves the interval alone.
    await rpc('evm_setIntervalMining', 3)
    expect(await modes()).toEqual({ mode: 'interval:3', automine: false, interval: 3 })
    for (const mode of ['instant:0', 'instant:', 'instant:-1', 'instant:86401', 'manual:5', 'replay:5'])
      await expect(rpc('dev_setMiningMode', mode)).rejects.toThrow(/expected instant, instant:SECONDS, manual/)
  })
})
