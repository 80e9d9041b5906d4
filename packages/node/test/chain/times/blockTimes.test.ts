import { createFakeClock, type FakeClock } from '@understudy/testkit'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { type Rpc, timesOf } from './blockTimes.ts'

const day = 86_400
const hex = (value: number) => numberToHex(value)

describe('times of blocks', () => {
  let clock: FakeClock
  let network: TestNetwork
  let times: ReturnType<typeof timesOf>
  const rpc: Rpc = (method, ...params) => network.rpc(method, ...params)
  /** Seconds between the blocks that a method seals. */
  const after = (method: string, ...params: unknown[]) => times.between(() => rpc(method, ...params))
  const setNext = async (seconds: number) => rpc('evm_setNextBlockTimestamp', (await times.at('latest')) + seconds)

  beforeEach(async () => {
    clock = createFakeClock()
    network = await startNetwork({ accounts: 2 }, { clock })
    times = timesOf(rpc)
    clock.advance(5_000)
    return () => network.stop()
  })

  it('anvil_mine moves the clock before each block, and the block after the last has the time of the clock', async () => {
    await rpc('evm_mine')
    expect(await after('anvil_mine', '0x1', hex(day))).toEqual([day])
    expect(await after('evm_mine')).toEqual([1])
    expect(await after('anvil_mine', '0x3', hex(day))).toEqual([day, day, day])
    clock.advance(10_000)
    expect(await times.between(times.send)).toEqual([10])
    expect(await after('anvil_mine', '0x3')).toEqual([1, 1, 1])
    expect(await after('anvil_mine', '0x0', '0x64')).toEqual([])
    expect(await after('evm_mine')).toEqual([1])
  })

  it('hardhat_mine begins with the time of the clock, and has its interval between blocks', async () => {
    await rpc('evm_mine')
    clock.advance(7_000)
    expect(await after('hardhat_mine', '0x1', hex(day))).toEqual([7])
    expect(await after('evm_mine')).toEqual([1])
    expect(await after('hardhat_mine', '0x3', hex(day))).toEqual([1, day, day])
    expect(await times.between(times.send)).toEqual([1])
    clock.advance(10_000)
    // The block before was one second ahead of the clock.
    expect(await after('evm_mine')).toEqual([9])
    expect(await after('hardhat_mine', '0x3')).toEqual([1, 1, 1])
    expect(await after('hardhat_mine', '0x0', '0x64')).toEqual([])
    expect(await after('evm_mine')).toEqual([1])
  })

  it.each([
    { method: 'anvil_mine', increased: [560, 60, 60] },
    { method: 'hardhat_mine', increased: [500, 60, 60] },
  ])('$method counts from a time that was set before', async ({ method, increased }) => {
    await rpc('evm_mine')
    await setNext(1000)
    expect(await after(method, '0x3', '0x3c')).toEqual([1000, 60, 60])
    expect(await after('evm_mine')).toEqual([1])
    await setNext(1000)
    expect(await after(method, '0x1', '0x3c')).toEqual([1000])
    await rpc('evm_increaseTime', 500)
    expect(await after(method, '0x3', '0x3c')).toEqual(increased)
    expect(await after('evm_mine')).toEqual([1])
  })

  it('evm_mine gives the first of its blocks a time, which nothing takes if it seals none', async () => {
    const next = async () => (await times.at('latest')) + 77
    expect(await after('evm_mine', await next())).toEqual([77])
    expect(await after('evm_mine', { blocks: 3, timestamp: await next() })).toEqual([77, 1, 1])
    expect(await after('evm_mine', { blocks: 0, timestamp: await next() })).toEqual([])
    expect(await after('evm_mine')).toEqual([1])
    const time = await times.at('latest')
    for (const given of [time, time - 1])
      await expect(rpc('evm_mine', given)).rejects.toThrow(/timestamp: \d+ is (equal to|lower than) the previous block/)
    expect(await after('evm_mine')).toEqual([1])
  })

  it('blocks of one second are a second apart, until the clock has caught up', async () => {
    await rpc('evm_mine')
    const times30 = await times.between(async () => {
      for (let sent = 0; sent < 10; sent++) await times.send()
      await rpc('evm_mine', { blocks: 10 })
      await Promise.all(Array.from({ length: 10 }, times.send))
    })
    expect(times30).toEqual(Array(30).fill(1))
    clock.advance(25_000)
    expect(await after('evm_mine')).toEqual([1])
    clock.advance(10_000)
    expect(await after('evm_mine')).toEqual([4])
    // It is no shift of the clock.
    expect(await rpc('evm_increaseTime', 0)).toBe(0)
  })

  it('goes on from the newest block when a fixed interval ends, and when time is set back', async () => {
    await rpc('anvil_setBlockTimestampInterval', 1000)
    expect(await after('anvil_mine', '0x5')).toEqual(Array(5).fill(1000))
    expect(await rpc('anvil_removeBlockTimestampInterval')).toBe(true)
    expect(await after('evm_mine')).toEqual([1])
    clock.advance(12_000)
    expect(await times.between(times.send)).toEqual([11])
    expect(await rpc('anvil_removeBlockTimestampInterval')).toBe(false)
    expect(await after('evm_mine')).toEqual([1])
    for (const back of [1, 5_000, 10 ** 6]) {
      await rpc('evm_setTime', (await times.at('latest')) - back)
      expect(await after('evm_mine')).toEqual([1])
      clock.advance(20_000)
      expect(await times.between(times.send)).toEqual([19])
    }
    await rpc('evm_setTime', (await times.at('latest')) + 500)
    expect(await after('evm_mine')).toEqual([500])
    // As anvil: it ends what was set for the next block.
    await setNext(1000)
    await rpc('evm_setTime', (await times.at('latest')) + 50)
    expect(await after('evm_mine')).toEqual([50])
  })

  it('a fixed interval is that of every block', async () => {
    await rpc('anvil_setBlockTimestampInterval', 12)
    expect(await times.between(times.send)).toEqual([12])
    for (const method of ['anvil_mine', 'hardhat_mine'])
      for (const seconds of ['0x0', '0x5', '0x64']) expect(await after(method, '0x2', seconds)).toEqual([12, 12])
    await setNext(50)
    expect(await after('anvil_mine', '0x2')).toEqual([50, 12])
    await rpc('anvil_setBlockTimestampInterval', 0)
    expect(await after('anvil_mine', '0x2')).toEqual([1, 1])
  })

  it('refuses a next time that is not later than the newest block', async () => {
    await rpc('evm_mine')
    const time = await times.at('latest')
    await expect(rpc('evm_setNextBlockTimestamp', time)).rejects.toThrow(
      /timestamp: \d+ is equal to the previous block's timestamp; pass a later one, or start the network with --allow-same-timestamp/,
    )
    await expect(rpc('evm_setNextBlockTimestamp', time - 1)).rejects.toThrow(/is lower than the previous block's/)
    await rpc('evm_setNextBlockTimestamp', time + 1)
    expect(await after('evm_mine')).toEqual([1])
  })

  it('a call at latest sees the newest block, and one at pending the next, after each of these methods', async () => {
    await rpc('evm_mine')
    const actions: Record<string, { act: () => Promise<unknown>; next: number }> = {
      evm_increaseTime: { act: () => rpc('evm_increaseTime', 500), next: 500 },
      evm_setNextBlockTimestamp: { act: () => setNext(1000), next: 1000 },
      evm_setTime: { act: async () => rpc('evm_setTime', (await times.at('latest')) + 50), next: 50 },
      'evm_setTime back': { act: async () => rpc('evm_setTime', (await times.at('latest')) - 50), next: 1 },
      evm_mine: { act: () => rpc('evm_mine'), next: 1 },
      'evm_mine with a time': { act: async () => rpc('evm_mine', (await times.at('latest')) + 50), next: 1 },
      anvil_mine: { act: () => rpc('anvil_mine', '0x2', hex(day)), next: 1 },
      hardhat_mine: { act: () => rpc('hardhat_mine', '0x2', hex(day)), next: 1 },
      'a transaction': { act: times.send, next: 1 },
      interval: { act: () => rpc('anvil_setBlockTimestampInterval', 12), next: 12 },
      'no interval': { act: () => rpc('anvil_removeBlockTimestampInterval'), next: 1 },
      anvil_rollback: { act: () => rpc('anvil_rollback', 1), next: day },
    }
    for (const mode of ['instant', 'manual']) {
      await rpc('dev_setMiningMode', mode)
      for (const [name, { act, next }] of Object.entries(actions)) {
        if (mode === 'manual' && name === 'a transaction') continue
        await rpc('evm_mine', (await times.at('latest')) + 10_000)
        if (name === 'anvil_rollback') await rpc('anvil_mine', '0x1', hex(day))
        await act()
        const [time, number] = [await times.at('latest'), await times.head()]
        expect({ name, ...(await times.seen('latest')) }).toEqual({ name, time, number })
        const pending = { name, time: time + next, number: number + 1 }
        expect({ name, ...(await times.seen('pending')) }).toEqual(pending)
        expect(await times.at('pending')).toBe(time + next)
        expect({ name, mined: await after('evm_mine') }).toEqual({ name, mined: [next] })
      }
    }
  })

  it('keeps them through snapshots and restarts', async () => {
    await rpc('anvil_mine', '0x1', hex(day))
    await rpc('evm_increaseTime', 300)
    const snapshot = await rpc('evm_snapshot')
    await rpc('evm_mine')
    await rpc('anvil_mine', '0x2', hex(day))
    await rpc('evm_revert', snapshot)
    await network.restart()
    clock.advance(10_000)
    expect(await after('evm_mine')).toEqual([310])
    await rpc('anvil_mine', hex(1500), '0x7')
    await network.restart()
    expect(await after('evm_mine')).toEqual([1])
    clock.advance(10_000)
    expect(await after('evm_mine')).toEqual([9])
  })

  it('leaves the clock as it is when blocks are rolled back, be it all of them', async () => {
    await rpc('anvil_mine', '0x2')
    await rpc('evm_increaseTime', 300)
    const next = await times.at('pending')
    for (const depth of [1, 1]) {
      await rpc('anvil_rollback', depth)
      expect(await times.at('pending')).toBe(next)
    }
    expect(await times.head()).toBe(0)
    await network.restart()
    expect(await times.at('pending')).toBe(next)
    await rpc('anvil_setBlockTimestampInterval', 12)
    await rpc('evm_mine')
    await rpc('anvil_reorg', 1, [])
    expect(await after('evm_mine')).toEqual([12])
    await rpc('anvil_reset')
    expect(await after('evm_mine')).toEqual([5])
  })

  it('mines many blocks as it mines a few', async () => {
    await rpc('anvil_mine', '0x4')
    const before = await times.at('latest')
    await rpc('anvil_mine', hex(2_500))
    expect(await times.at('latest')).toBe(before + 2_500)
    await rpc('anvil_mine', hex(2_500), '0x7')
    expect(await times.at('latest')).toBe(before + 2_500 + 7 * 2_500)
    expect(await after('evm_mine')).toEqual([1])
    await rpc('hardhat_mine', hex(2_500), '0x7')
    expect(await times.at('latest')).toBe(before + 2_500 + 7 * 2_500 + 2 + 7 * 2_499)
    expect(await after('evm_mine')).toEqual([1])
  })
})

describe('times of blocks with --allow-same-timestamp', () => {
  let clock: FakeClock
  let network: TestNetwork
  let times: ReturnType<typeof timesOf>
  const rpc: Rpc = (method, ...params) => network.rpc(method, ...params)
  const after = (method: string, ...params: unknown[]) => times.between(() => rpc(method, ...params))
  beforeAll(async () => {
    clock = createFakeClock()
    network = await startNetwork({ accounts: 2, allowSameTimestamp: true }, { clock })
    times = timesOf(rpc)
  })
  afterAll(() => network?.stop())

  it('blocks of one second share their time, which still does not stand', async () => {
    await rpc('evm_mine')
    expect(await times.between(times.send)).toEqual([0])
    expect(await after('anvil_mine', '0x2')).toEqual([0, 0])
    expect(await after('anvil_mine', '0x2', hex(day))).toEqual([day, day])
    expect(await after('evm_mine')).toEqual([0])
    expect(await after('hardhat_mine', '0x3', hex(day))).toEqual([0, day, day])
    expect(await after('evm_mine')).toEqual([0])
    await rpc('evm_setNextBlockTimestamp', await times.at('latest'))
    expect(await after('evm_mine')).toEqual([0])
    const before = await times.at('latest')
    await rpc('anvil_mine', hex(2_500))
    expect(await times.at('latest')).toBe(before)
    await rpc('anvil_setBlockTimestampInterval', 1000)
    await rpc('anvil_mine', '0x5')
    await rpc('anvil_removeBlockTimestampInterval')
    clock.advance(3_000)
    expect(await after('evm_mine')).toEqual([3])
    await rpc('evm_setTime', 5)
    clock.advance(4_000)
    expect(await after('evm_mine')).toEqual([4])
    await expect(rpc('evm_setNextBlockTimestamp', (await times.at('latest')) - 1)).rejects.toThrow(/is lower than/)
  })
})
