import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  startAnvil,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, type Hex, pad, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

describe('a network whose upstream mines and trades', () => {
  let anvil: Anvil
  let live: TestClient
  let uniswap: UniswapV2
  let network: TestNetwork

  const reservesSlot = pad('0x8')
  const slotOn = (client: TestClient, address: Address, slot: Hex) => client.getStorageAt({ address, slot })
  const reserves = (client: TestClient) => slotOn(client, uniswap.pair, reservesSlot)
  const untilBaseIsLive = async () => {
    const head = Number(await live.getBlockNumber())
    const info = () => network.rpc<{ base: { number: number } }>('dev_getNetworkInfo')
    await eventually(info, ({ base }) => base.number >= head)
  }

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    uniswap = await deployUniswapV2(live)
  })
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network?.stop())
  afterAll(() => anvil?.stop())

  /** A swap here alone, which writes slots of the pair and of both tokens. */
  const swapHere = async (amount: bigint) => {
    // The pair accumulates its prices when time has passed.
    await network.rpc('evm_increaseTime', 10)
    await uniswap.swap(amount, 'A to B', network.client)
  }

  it('moves untouched prices block by block', async () => {
    for (const direction of ['A to B', 'B to A'] as const) {
      await uniswap.swap(parseEther('1'), direction)
      await untilBaseIsLive()
      expect(await reserves(network.client)).toBe(await reserves(live))
    }
  })

  it('freezes with a local swap exactly the slots that it wrote', async () => {
    await swapHere(parseEther('1'))
    const frozen = await reserves(network.client)
    await uniswap.swap(parseEther('3'), 'B to A')
    await untilBaseIsLive()
    expect(await reserves(network.client)).toBe(frozen)
    expect(await reserves(live)).not.toBe(frozen)
    // The pair's factory slot and the LP supply were only read.
    for (const slot of [pad('0x5'), pad('0x0')] as const)
      expect(await slotOn(network.client, uniswap.pair, slot)).toBe(await slotOn(live, uniswap.pair, slot))
  })

  it('brings a pool back when it is followed, and leaves no residue of a local swap after its block', async () => {
    await swapHere(parseEther('1'))
    const result = await network.rpc('dev_followAccount', uniswap.pair)
    // reserves, both cumulative prices and the lock
    expect(result).toEqual({ address: uniswap.pair.toLowerCase(), followed: true, residueCleared: 4 })
    expect(await network.rpc('dev_followAccount', uniswap.pair)).toMatchObject({ residueCleared: 0 })
    expect(await reserves(network.client)).toBe(await reserves(live))

    // What the pool holds is in the tokens: without it, the pool's own check would miss what the earlier swap moved.
    for (const token of [uniswap.tokenA, uniswap.tokenB])
      expect(await network.rpc('dev_followTokenBalance', token, uniswap.pair)).toMatchObject({ residueCleared: 1 })
    await uniswap.swap(parseEther('2'), 'A to B', network.client)
    expect(await reserves(network.client)).toBe(await reserves(live))
  })

  it('keeps following across a restart, and refuses writes that would be masked', async () => {
    await network.rpc('dev_followAccount', uniswap.pair)
    await network.restart()
    expect(await network.rpc('dev_getFollowed')).toMatchObject({ accounts: [uniswap.pair.toLowerCase()] })
    await uniswap.swap(parseEther('1'), 'A to B')
    await untilBaseIsLive()
    expect(await reserves(network.client)).toBe(await reserves(live))
    for (const [method, ...params] of [
      ['dev_setBalance', uniswap.pair, '1'],
      ['dev_setNonce', uniswap.pair, '9'],
      ['dev_setCode', uniswap.pair, '0x00'],
    ] as const)
      await expect(network.rpc(method, ...params)).rejects.toThrow(/dev_unfollowAccount/)
    await expect(network.rpc('dev_setStorageAt', uniswap.pair, 8, pad('0x1'))).rejects.toThrow(/dev_unfollowSlots/)
  })

  it('tracks the base after it was unfollowed, until the next write', async () => {
    await swapHere(parseEther('1'))
    await network.rpc('dev_followAccount', uniswap.pair)
    for (const token of [uniswap.tokenA, uniswap.tokenB])
      await network.rpc('dev_followTokenBalance', token, uniswap.pair)
    for (const token of [uniswap.tokenA, uniswap.tokenB])
      expect(await network.rpc('dev_unfollowTokenBalance', token, uniswap.pair)).toMatchObject({ removed: 1 })
    const unfollowed = { address: uniswap.pair.toLowerCase(), removed: true, residueCleared: 0 }
    expect(await network.rpc('dev_unfollowAccount', uniswap.pair)).toEqual(unfollowed)
    expect(await network.rpc('dev_unfollowAccount', uniswap.pair)).toEqual({ ...unfollowed, removed: false })
    await uniswap.swap(parseEther('1'), 'B to A')
    await untilBaseIsLive()
    expect(await reserves(network.client)).toBe(await reserves(live))
    await network.rpc('dev_setStorageAt', uniswap.pair, '8', pad('0x7'))
    expect(await reserves(network.client)).toBe(pad('0x7'))
  })

  it('gives an account back by a resync, and counts its slots', async () => {
    await network.rpc('dev_setStorageAt', uniswap.pair, '8', pad('0x7'))
    await network.rpc('dev_setStorageAt', uniswap.pair, '77', pad('0x7'))
    await network.rpc('dev_setBalance', uniswap.pair, '123')
    const result = { address: uniswap.pair.toLowerCase(), slotsCleared: 2 }
    expect(await network.rpc('dev_resyncAccount', uniswap.pair)).toEqual(result)
    expect(await reserves(network.client)).toBe(await reserves(live))
    expect(await network.client.getBalance({ address: uniswap.pair })).toBe(0n)
    expect(await network.rpc('dev_resyncAccount', uniswap.pair)).toEqual({ ...result, slotsCleared: 0 })
  })

  it('follows single slots, decimal or hex, and lists them sorted', async () => {
    const { rpc } = network
    const address = uniswap.pair.toLowerCase()
    expect(await rpc('dev_followSlots', uniswap.pair, ['10', 8, '0x8'])).toEqual({
      address,
      followedSlots: [pad('0xa'), pad('0x8')],
      residueCleared: 0,
    })
    expect(await rpc('dev_getFollowed')).toEqual({ accounts: [], slots: { [address]: [pad('0x8'), pad('0xa')] } })
    expect(await rpc('dev_unfollowSlots', uniswap.pair, [8, 10, 11])).toEqual({
      address,
      removed: 2,
      residueCleared: 0,
    })
    expect(await rpc('dev_getFollowed')).toEqual({ accounts: [], slots: {} })
  })

  it('follows a token balance, which then reads live', async () => {
    const [token, holder] = [uniswap.tokenA, live.account.address]
    const balance = (client: TestClient) =>
      client.readContract({ address: token, abi: artifacts.PlainToken.abi, functionName: 'balanceOf', args: [holder] })
    await network.rpc('dev_setERC20Balance', holder, token, '5')
    const followed = await network.rpc<{ slot: Hex; residueCleared: number }>('dev_followTokenBalance', token, holder)
    expect(followed.residueCleared).toBe(1)
    expect(await balance(network.client)).toBe(await balance(live))
    await expect(network.rpc('dev_setERC20Balance', holder, token, '5')).rejects.toThrow(/is followed/)
    expect(await network.rpc('dev_unfollowTokenBalance', token, holder)).toMatchObject({
      slot: followed.slot,
      removed: 1,
    })
  })

  it('reads followed state live when the base is pinned, also at old blocks', async () => {
    const pinned = await startNetwork({ forkUrls: [anvil.url], forkBlockNumber: await live.getBlockNumber() })
    const before = await reserves(pinned.client)
    await pinned.rpc('dev_followSlots', uniswap.pair, [8])
    await pinned.rpc('evm_mine')
    const block = await pinned.client.getBlockNumber()
    await uniswap.swap(parseEther('1'), 'A to B')
    await eventually(
      () => reserves(pinned.client),
      (value) => value !== before,
    )
    expect(await reserves(pinned.client)).toBe(await reserves(live))
    await pinned.rpc('evm_mine')
    const storageThen = await pinned.rpc('eth_getStorageAt', uniswap.pair, reservesSlot, toHex(block))
    expect(storageThen).toBe(before)
    await pinned.stop()
  })

  it('refuses to follow or to resync what exists only here', async () => {
    const own = await deployContract(network.client, artifacts.Counter, [1n])
    await expect(network.rpc('dev_followAccount', own)).rejects.toThrow(/exists only on this network/)
    await expect(network.rpc('dev_resyncAccount', own)).rejects.toThrow(/exists only on this network/)
  })
})
