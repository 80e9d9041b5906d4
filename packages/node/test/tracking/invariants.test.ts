import { artifacts, deployContract } from '@understudy/testkit'
import { type Address, createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CompiledSource, compileSource } from '../compileSource.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

type Invariant = {
  id: string
  holds: boolean
  failures: {
    block: number
    transaction: string | null
    line: { line: number | null; function: string | null } | null
    left: string | null
    recoveredAt: number | null
    branch: string | null
  }[]
}

let network: TestNetwork
let counter: Address
const { abi } = artifacts.Counter
const vaultAbi = parseAbi(['function borrow(uint256)', 'function debt() view returns (uint256)'])
const set = (value: bigint) =>
  network.client.writeContract({ address: counter, abi, functionName: 'setNumber', args: [value], gas: 100_000n })
const list = () => network.rpc<Invariant[]>('dev_getInvariants')
const number = { type: 'function-result', functionAbi: 'function number() view returns (uint256)' }

beforeEach(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [7n])
})
afterEach(() => network?.stop())

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
  const metrics = await (await fetch(`${network.url}/metrics`)).text()
  expect(metrics).toContain('understudy_broken_invariants 1\n')
  expect(metrics).toContain('understudy_shadowed_transactions{outcome="diverged"} 0\n')

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
  await network.rpc('dev_setBalance', counter, '7')
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

/** A counter with its lines, in blocks of one transaction each. */
async function openVault(): Promise<Address> {
  const vault = compileSource(
    'Vault.sol',
    `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
    uint256 public assets = 100;
    uint256 public debt = 50;
    function borrow(uint256 amount) external {
        debt += amount;
    }
}`,
  ).Vault as CompiledSource
  const address = await deployContract(network.client, vault)
  await network.rpc('dev_importContracts', { contracts: [vault.imported] })
  return address
}

it('pauses, keeps the line, and makes a branch at the block', { timeout: 60_000 }, async () => {
  const vault = await openVault()
  const of = (name: string) => ({
    type: 'function-result',
    address: vault,
    functionAbi: `function ${name}() view returns (uint256)`,
  })
  const check = { values: { assets: of('assets'), debt: of('debt') }, holds: 'debt * 10 <= assets * 8' }
  const added = await network.rpc<Invariant>('dev_addInvariant', {
    name: 'ratio < 80 %',
    check,
    pause: true,
    branch: true,
  })
  expect(added).toMatchObject({ holds: true, pause: true, branch: true })

  const [from] = await network.rpc<Address[]>('eth_accounts')
  const borrow = (amount: bigint) =>
    network.rpc<Hex>('eth_sendTransaction', {
      ...{ from, to: vault, gas: '0x30d40' },
      data: encodeFunctionData({ abi: vaultAbi, functionName: 'borrow', args: [amount] }),
    })
  // Those after the one that breaks it wait.
  const sent = await Promise.all([20n, 20n, 20n, 20n].map(borrow))
  const guilty = await network.client.getTransactionReceipt({ hash: sent[1] as Hex })
  expect(await network.client.getBlockNumber({ cacheTime: 0 })).toBe(guilty.blockNumber)
  expect(await network.rpc('dev_getNetworkInfo')).toMatchObject({ mode: 'manual' })
  for (const hash of sent.slice(2)) expect(await network.rpc('eth_getTransactionReceipt', hash)).toBeNull()
  await network.restart()
  expect(await network.client.getBlockNumber({ cacheTime: 0 })).toBe(guilty.blockNumber)

  const broken = await eventually(
    async () => (await list()).find(({ id }) => id === added.id),
    (invariant) => typeof invariant?.failures[0]?.branch === 'string',
  )
  expect(broken).toMatchObject({
    holds: false,
    failures: [
      {
        ...{ block: Number(guilty.blockNumber), transaction: guilty.transactionHash, recoveredAt: null },
        ...{ left: 'assets = 100, debt = 90', line: { line: 7, function: 'Vault.borrow' } },
      },
    ],
  })
  await network.client.mine({ blocks: 1 })
  for (const hash of sent.slice(2)) expect(await network.rpc('eth_getTransactionReceipt', hash)).not.toBeNull()

  const branch = createPublicClient({
    transport: http(`${network.url}/n/${encodeURIComponent(broken?.failures[0]?.branch ?? '')}`),
  })
  expect(await branch.getBlockNumber()).toBe(guilty.blockNumber)
  expect(await branch.readContract({ address: vault, abi: vaultAbi, functionName: 'debt' })).toBe(90n)
})

it('refuses expressions that cannot be read', async () => {
  const values = { a: { type: 'native-token-balance', address: counter } }
  for (const holds of ['a >', '(a > 1', 'b > 1', 'a > 1 2', 'a ** 2 > 1', '('.repeat(200), '!'.repeat(900)])
    await expect(network.rpc('dev_addInvariant', { name: 'wrong', check: { values, holds } })).rejects.toThrow(/holds/)
  const noBoolean = await network.rpc<Invariant>('dev_addInvariant', { name: 'sum', check: { values, holds: 'a + 1' } })
  expect(noBoolean).toMatchObject({
    holds: false,
    failures: [{ error: expect.stringContaining('is not true or false') }],
  })
  const divided = { values, holds: 'a / 0 == 1' }
  const byZero = await network.rpc<Invariant>('dev_addInvariant', { name: 'zero', check: divided })
  expect(byZero).toMatchObject({ holds: false, failures: [{ error: 'it divides by zero' }] })
})
