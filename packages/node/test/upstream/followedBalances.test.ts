import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Followed = {
  accounts: Address[]
  slots: Record<Address, Hex[]>
  tokenBalances?: { token: Address; holder: Address; address: Address; slot: Hex }[]
}

const holder = '0x00000000000000000000000000000000000000b1'
const nothing: Followed = { accounts: [], slots: {} }
/** Reverts, as a token that is paused. */
const paused = '0x5f5ffd'

let anvil: Anvil
let live: TestClient
let network: TestNetwork
let token: Address
let separate: Address
beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  const address = await deployContract(live, artifacts.PlainToken, ['Plain', 'PLN', 1000n])
  token = address.toLowerCase() as Address
  separate = (await deployContract(live, artifacts.SeparateStorageToken, [1000n])).toLowerCase() as Address
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const followed = (client: Pick<TestClient, 'request'> = network.client) =>
  client.request({ method: 'dev_getFollowed', params: [] } as never) as Promise<Followed>
const follow = (of = token) => network.rpc<{ slot: Hex }>('dev_followTokenBalance', of, holder)
const unfollow = (of = token) =>
  network.rpc<{ slot: Hex | null; removed: number }>('dev_unfollowTokenBalance', of, holder)
const balance = () =>
  network.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })

describe('a followed token balance', () => {
  beforeEach(async () => {
    for (const of of [token, separate]) await unfollow(of)
    expect(await followed()).toEqual(nothing)
  })

  it('is unfollowed when its token has other code by now, also after a restart', async () => {
    const { slot } = await follow()
    const known = { accounts: [], slots: { [token]: [slot] }, tokenBalances: [{ token, holder, address: token, slot }] }
    expect(await followed()).toEqual(known)
    await network.rpc('dev_setCode', token, paused)
    await expect(follow()).rejects.toThrow(/revert/)
    await network.restart()
    expect(await followed()).toEqual(known)
    expect(await unfollow()).toEqual({ token, holder, slot, removed: 1 })
    expect(await followed()).toEqual(nothing)
    // Again: nothing is followed, and the slot that was is still known.
    expect(await unfollow()).toEqual({ token, holder, slot, removed: 0 })
    await network.rpc('dev_resyncAccount', token)
    expect(await balance()).toBe(0n)
  })

  it('that never was followed is no error, whatever is at the token', async () => {
    const stranger = '0x00000000000000000000000000000000000000b2'
    const answer = { token: stranger, holder, slot: null, removed: 0 }
    expect(await unfollow(stranger)).toEqual(answer)
  })

  it('is listed with the contract that stores it', async () => {
    const { slot } = await follow(separate)
    const { slots, tokenBalances = [] } = await followed()
    const [address] = Object.keys(slots)
    expect(address).not.toBe(separate)
    expect(tokenBalances).toEqual([{ token: separate, holder, address, slot }])
  })

  it('ends with its slot, and is noted for a slot that was followed before', async () => {
    const { slot } = await follow()
    await network.rpc('dev_unfollowSlots', token, [slot])
    expect(await followed()).toEqual(nothing)
    await network.rpc('dev_followSlots', token, [slot])
    expect(await unfollow()).toMatchObject({ removed: 0 })
    await follow()
    await follow()
    expect((await followed()).tokenBalances).toHaveLength(1)
    expect(await unfollow()).toMatchObject({ slot, removed: 1 })
  })

  it('is followed in other slots, too, when an upgrade moved it', async () => {
    const { slot } = await follow()
    // Answers for every account what slot 77 of the holder's address plus 77 has.
    await network.rpc('dev_setCode', token, '0x600435604d01545f5260205ff3')
    const moved = await follow()
    expect(moved.slot).not.toBe(slot)
    expect((await followed()).tokenBalances).toHaveLength(2)
    expect(await unfollow()).toMatchObject({ slot: moved.slot, removed: 2 })
    await network.rpc('dev_resyncAccount', token)
  })

  it('goes with a revert', async () => {
    const before = await network.rpc('evm_snapshot')
    const { slot } = await follow()
    const after = await network.rpc('evm_snapshot')
    await unfollow()
    await network.rpc('evm_revert', after)
    expect((await followed()).tokenBalances).toEqual([{ token, holder, address: token, slot }])
    await network.rpc('evm_revert', before)
    expect(await followed()).toEqual(nothing)
    expect(await unfollow()).toMatchObject({ removed: 0 })
  })

  it('is copied to a branch, and taken back with it', async () => {
    const { slot } = await follow()
    const { url, name } = await network.rpc<{ url: string; name: string }>('dev_createBranch', {})
    const branch = await connectClient(url)
    const inBranch = (method: string, ...params: unknown[]) => branch.request({ method, params } as never)
    const known = await followed()
    expect(await followed(branch)).toEqual(known)
    await inBranch('dev_setCode', token, paused)
    expect(await inBranch('dev_unfollowTokenBalance', token, holder)).toMatchObject({ slot, removed: 1 })
    expect(await followed()).toEqual(known)
    const { slot: other } = (await inBranch('dev_followTokenBalance', separate, holder)) as { slot: Hex }
    const ofBranch = await followed(branch)
    expect(ofBranch.tokenBalances).toMatchObject([{ token: separate, slot: other }])
    await network.rpc('dev_promoteBranch', name)
    expect(await followed()).toEqual(ofBranch)
    expect(await unfollow(separate)).toMatchObject({ removed: 1 })
    await network.rpc('dev_resyncAccount', token)
  })
})
