import type { Address } from '@understudy/evm'
import { toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addCalls, type CallRecord } from '../storage/records/activity/calls.ts'
import { addContract, addContractVersion, saveDeployment } from '../storage/records/contracts/contracts.ts'
import { type EphemeralStore, openEphemeral } from '../storage/sqlite/openEphemeral.ts'
import { loadGasByVersion } from './gasByVersion.ts'
import { loadWorkspaceHistory } from './history.ts'
import { type ManualWorkspace, targetOf, type WalletWorkspace } from './workspace.ts'

const [first, second, third, stranger]: [Address, Address, Address, Address] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'a2'.repeat(20)}`,
  `0x${'a3'.repeat(20)}`,
  `0x${'ee'.repeat(20)}`,
]
const workspace: ManualWorkspace = {
  kind: 'manual',
  id: 'pct_1',
  name: 'Vault',
  createdAt: 0,
  origin: 'import',
  version: { id: 'v2', number: 2 },
  deployment: { id: 'pcd_2', address: second },
  deployments: 2,
}
const wallet: WalletWorkspace = { kind: 'wallet', id: 'w', name: 'Alice', createdAt: 0, address: first }

let store: EphemeralStore
let position: number
beforeEach(async () => {
  position = 0
  store = await openEphemeral()
  await write((queries) => addContract(queries, { id: workspace.id, origin: 'import', name: 'Vault', createdAt: 0 }))
})
afterEach(() => store.close())

const write = (task: Parameters<typeof store.database.transaction>[0]) => store.database.transaction(task)
const queries = () => store.database.queries
const functionOf = (name: string) => ({ type: 'function', name, inputs: [], outputs: [], stateMutability: 'view' })

/** A version with functions of these names, or with other items of an ABI. */
const addVersion = (number: number, items: readonly (string | object)[], more: object = {}) =>
  write((queries) =>
    addContractVersion(queries, {
      id: `v${number}`,
      contractId: workspace.id,
      number,
      abi: JSON.stringify(items.map((item) => (typeof item === 'string' ? functionOf(item) : item))),
      digest: `${number}`,
      runtime: undefined,
      creation: undefined,
      runtimeTemplate: undefined,
      creationTemplate: undefined,
      storageLayout: undefined,
      sourcePath: undefined,
      source: undefined,
      lines: undefined,
      createdAt: number,
      ...more,
    }),
  )
const deploy = (number: number, address: Address, createdAt = number) =>
  write((queries) =>
    saveDeployment(queries, {
      id: `pcd_${address.slice(-2)}`,
      contractId: workspace.id,
      versionId: `v${number}`,
      address,
      blockNumber: undefined,
      transactionPosition: undefined,
      constructorArgs: undefined,
      createdAt,
    }),
  )
/** Calls of a function, each with the gas that it used. */
const call = (recipient: Address, name: string | undefined, gas: number[], more: Partial<CallRecord> = {}) =>
  write((queries) =>
    addCalls(
      queries,
      gas.map((gasUsed) => ({
        blockNumber: 1n,
        transactionPosition: 0,
        position: position++,
        depth: 0,
        type: 'CALL',
        sender: stranger,
        recipient,
        selector: name === undefined ? undefined : toFunctionSelector(`function ${name}()`),
        value: 0n,
        gas: 0n,
        gasUsed: BigInt(gasUsed),
        input: undefined,
        inputSize: 0,
        output: undefined,
        outputSize: 0,
        outcome: 'succeeded',
        halt: undefined,
        ...more,
      })),
    ),
  )

describe('the gas by version', () => {
  const gas = async () =>
    (await loadGasByVersion(workspace, { queries: queries() })).map(({ signature, versions }) => [
      signature,
      ...versions.map(({ number, calls, gas, change, isRegression }) => [
        number,
        calls,
        gas && Number(gas.p50),
        change === undefined ? undefined : Number(change),
        isRegression,
      ]),
    ])

  it('compares the median of each function with the version before it', async () => {
    await addVersion(1, ['pay', 'take'])
    await addVersion(2, ['pay', 'take'])
    await deploy(1, first)
    await deploy(2, second)
    await call(first, 'pay', [1000, 9000, 1001])
    await call(second, 'pay', [900])
    await call(first, 'take', [500])
    expect(await gas()).toEqual([
      ['pay()', [1, 3, 1001, undefined, false], [2, 1, 900, -101, false]],
      ['take()', [1, 1, 500, undefined, false]],
    ])
  })

  it('calls a rise of the median by a hundredth or more a regression', async () => {
    for (const [number, address, used] of [
      [1, first, 10_000],
      [2, second, 10_100],
      [3, third, 10_200],
    ] as const) {
      await addVersion(number, ['pay'])
      await deploy(number, address)
      await call(address, 'pay', [used])
    }
    expect(await gas()).toEqual([
      ['pay()', [1, 1, 10_000, undefined, false], [2, 1, 10_100, 100, true], [3, 1, 10_200, 100, false]],
    ])
    await call(third, 'pay', [10_199, 10_100, 10_100, 10_100])
    expect((await gas())[0]?.[3]).toEqual([3, 5, 10_100, 0, false])
  })

  it('has no median where every call failed, and no change from there', async () => {
    for (const [number, address] of [
      [1, first],
      [2, second],
      [3, third],
    ] as const) {
      await addVersion(number, ['pay'])
      await deploy(number, address)
      await call(address, 'pay', [700], number === 2 ? { outcome: 'failed' } : {})
    }
    expect(await gas()).toEqual([
      ['pay()', [1, 1, 700, undefined, false], [2, 1, undefined, undefined, false], [3, 1, 700, undefined, false]],
    ])
  })

  it('counts all deployments of a version together, and names no function that it does not know', async () => {
    await addVersion(1, ['pay'])
    await addVersion(2, ['pay'])
    await deploy(1, first)
    await deploy(1, third)
    await call(first, 'pay', [10])
    await call(third, 'pay', [30, 20])
    await call(first, 'other', [5])
    await call(first, undefined, [4])
    await call(stranger, 'pay', [1])
    expect(await gas()).toEqual([
      ['pay()', [1, 3, 20, undefined, false]],
      [undefined, [1, 1, 4, undefined, false]],
      [undefined, [1, 1, 5, undefined, false]],
    ])
    expect(await loadGasByVersion(wallet, { queries: queries() })).toEqual([])
  })
})

describe('the history of a contract', () => {
  const history = (limit = 10, cursor?: string) =>
    loadWorkspaceHistory(workspace, { limit, cursor }, { queries: queries() })

  it('tells what each version added and removed, newest first', async () => {
    await addVersion(1, ['pay', { type: 'event', name: 'Paid', inputs: [] }])
    await addVersion(2, ['pay', 'take', { type: 'error', name: 'Paid', inputs: [] }], { runtime: '0x00' })
    await addVersion(3, ['pay', 'take', { type: 'error', name: 'Paid', inputs: [] }], { storageLayout: {} })
    const { versions } = await history()
    expect(versions.map(({ number, added, removed }) => [number, added, removed])).toEqual([
      [3, [], []],
      [2, ['function take()', 'error Paid()'], ['event Paid()']],
      [1, [], []],
    ])
    expect(versions.map(({ hasBytecode, hasStorageLayout }) => [hasBytecode, hasStorageLayout])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ])
  })

  it('has the deployments in pages, the last one first, with no page after the last', async () => {
    await addVersion(1, [])
    // Two of the same time are told apart by their ids.
    await deploy(1, first, 5)
    await deploy(1, second, 7)
    await deploy(1, third, 7)
    const pages: Address[][] = []
    let cursor: string | undefined
    do {
      const { deployments, next } = await history(1, cursor)
      pages.push(deployments.map(({ address }) => address))
      cursor = next
    } while (cursor !== undefined)
    expect(pages).toEqual([[third], [second], [first]])
    expect((await history(3)).next).toBeUndefined()
  })

  it('refuses a cursor that it did not give, and is empty for an account', async () => {
    for (const cursor of ['', '5', '5.v1', 'x.pcd_a1', '5.pcd_a1 ', `${'9'.repeat(16)}.pcd_a1`])
      await expect(history(1, cursor)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    const empty = { versions: [], deployments: [], next: undefined }
    expect(await loadWorkspaceHistory(wallet, { limit: 1, cursor: 'x' }, { queries: queries() })).toEqual(empty)
  })
})

describe('the address of a workspace', () => {
  const addressOf = async (of: ManualWorkspace | WalletWorkspace, wanted?: Address) =>
    (await targetOf(queries(), of, wanted)).address

  it('is the deployment linked last, or another one that was asked for', async () => {
    await addVersion(1, [])
    await deploy(1, first)
    await deploy(1, second)
    expect(await addressOf(workspace)).toBe(second)
    expect(await addressOf(workspace, first)).toBe(first)
    expect(await addressOf({ ...workspace, deployment: undefined })).toBeUndefined()
    expect(await addressOf(wallet, first)).toBe(first)
  })

  it('is no other one', async () => {
    await addVersion(1, [])
    await deploy(1, first)
    const refused = { kind: 'INVALID_PARAMS', details: { field: 'address' } }
    await expect(addressOf(workspace, stranger)).rejects.toMatchObject(refused)
    await expect(addressOf({ ...workspace, id: 'pct_2' }, first)).rejects.toMatchObject(refused)
    await expect(addressOf(wallet, second)).rejects.toMatchObject(refused)
  })
})
