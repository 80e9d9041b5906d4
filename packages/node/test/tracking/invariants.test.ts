import { artifacts, deployContract } from '@understudy/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Invariant = {
  id: string
  holds: boolean
  failures: { block: number; transaction: string | null; left: string | null; recoveredAt: number | null }[]
}

let network: TestNetwork
let counter: Address
const { abi } = artifacts.Counter
const set = (value: bigint) =>
  network.client.writeContract({ address: counter, abi, functionName: 'setNumber', args: [value], gas: 100_000n })
const list = () => network.rpc<Invariant[]>('dev_getInvariants')
const number = { type: 'function-result', functionAbi: 'function number() view returns (uint256)' }

beforeAll(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [7n])
})
afterAll(() => network?.stop())

it('keeps the block and the transaction that broke it, until it holds again', async () => {
  const check = { left: { ...number, address: counter }, is: '<=', right: '10' }
  const added = await network.rpc<Invariant>('dev_addInvariant', { name: 'small', check })
  expect(added).toMatchObject({ name: 'small', holds: true, failures: [] })

  await network.rpc('dev_setMiningMode', 'manual')
  await set(9n)
  const guilty = await set(11n)
  await set(12n)
  await network.client.mine({ blocks: 1 })
  const block = Number(await network.client.getBlockNumber())
  const failure = { block, transaction: guilty, left: '12', right: '10', error: null, recoveredAt: null }
  expect(await list()).toMatchObject([{ holds: false, failures: [failure] }])

  await network.client.mine({ blocks: 2 })
  const snapshot = await network.rpc('evm_snapshot')
  await network.rpc('dev_setMiningMode', 'instant')
  await set(1n)
  const [healed] = await list()
  expect(healed).toMatchObject({ holds: true, failures: [{ ...failure, recoveredAt: block + 3 }] })

  await network.rpc('evm_revert', snapshot)
  expect(await list()).toMatchObject([{ holds: false, failures: [failure] }])
  await network.restart()
  expect(await list()).toMatchObject([{ holds: false, failures: [failure] }])
  await set(2n)
  expect((await list())[0]?.holds).toBe(true)
})

it('compares two values, and fails where one cannot be read', async () => {
  const balance = { type: 'native-token-balance', address: counter }
  const check = { left: balance, is: '==', right: { ...number, address: counter } }
  const { id, holds } = await network.rpc<Invariant>('dev_addInvariant', { name: 'equal', check })
  expect(holds).toBe(false)
  await network.rpc('dev_setBalance', counter, '2')
  await network.client.mine({ blocks: 1 })
  expect((await list()).find((each) => each.id === id)?.holds).toBe(true)
  await network.rpc('dev_setCode', counter, '0x')
  await network.client.mine({ blocks: 1 })
  expect((await list()).find((each) => each.id === id)).toMatchObject({ holds: false })
  expect(await network.rpc('dev_removeInvariant', id)).toEqual({ id, removed: true })
  await expect(network.rpc('dev_removeInvariant', id)).rejects.toThrow(/not found|no invariant/i)
  for (const wrong of [
    {},
    { left: balance, is: '~' },
    { left: { ...number, address: counter, functionAbi: 'nothing(' } },
  ])
    await expect(network.rpc('dev_addInvariant', { name: 'wrong', check: wrong })).rejects.toThrow(/invalid params/)
})
