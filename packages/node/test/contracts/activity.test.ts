import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artifacts, connectClient, deployContract, postJsonRpc, type TestClient } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Queries } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import {
  countActivity,
  loadCallsOf,
  loadLogsOf,
  loadMethodStatistics,
  loadTransfersOf,
} from '../../src/storage/records/activity/activityReads.ts'
import { loadTransactionsOf } from '../../src/storage/records/activity/appearances.ts'
import { loadMappingsOf } from '../../src/storage/records/activity/mappingKeys.ts'
import { localContract } from '../localContracts.ts'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Child, Counter, Factory, PlainToken, Reverter } = artifacts

describe('what transactions did inside', () => {
  let network: TestNetwork
  beforeEach(async () => {
    network = await startNetwork()
  })
  afterEach(() => network.stop())

  /** Reads the database while the network is stopped. */
  async function read<T>(query: (queries: Queries) => Promise<T>): Promise<T> {
    await network.node.stop()
    const database = await openDatabase(network.location)
    const answer = await query(database.queries)
    await database.close()
    await network.restart()
    return answer
  }
  const send = (to: Address, data: Hex) => network.client.sendTransaction({ to, data, gas: 300_000n })
  const attempt = (reverter: Address, fail: boolean) =>
    send(reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'attempt', args: [fail] }))

  it('is read of an address page by page, the newest first, and counted', async () => {
    const reverter = await deployContract(network.client, Reverter)
    const inside = encodeFunctionData({ abi: Reverter.abi, functionName: 'attemptInside' })
    const hashes = [
      await attempt(reverter, false),
      await attempt(reverter, true),
      await send(reverter, inside),
      await attempt(reverter, false),
    ]
    await network.rpc('anvil_mine', '0x1f4')
    type Page = {
      items: { transactionHash: Hex; status: string; function: { name: string } | null }[]
      next: string | null
    }
    const newest = await network.rpc<Page>('dev_getTransactions', { limit: 3 })
    const older = await network.rpc<Page>('dev_getTransactions', { limit: 200, cursor: newest.next })
    const listed = [...newest.items, ...older.items].map(({ transactionHash }) => transactionHash)
    expect(listed.slice(0, 4)).toEqual(hashes.toReversed())
    expect([newest.items.length, older.next, new Set(listed).size]).toEqual([3, null, listed.length])

    const all = await network.rpc<Page>('dev_getTransactions', { limit: 200 })
    const ofReverter = await network.rpc<Page>('dev_getTransactions', { limit: 200, address: reverter })
    expect(ofReverter.items).toEqual(all.items.slice(0, 5))
    for (const status of ['success', 'failed'])
      for (const address of [undefined, reverter]) {
        const { items } = await network.rpc<Page>('dev_getTransactions', { limit: 200, status, address })
        const expected = (address ? ofReverter : all).items.filter((item) => item.status === status)
        expect(expected.length).toBeGreaterThan(0)
        expect(items).toEqual(expected)
      }

    await read(async (queries) => {
      const page = { limit: 2, before: undefined }
      const first = await loadTransactionsOf(queries, reverter, page)
      const last = first.at(-1)
      const rest = await loadTransactionsOf(queries, reverter, { limit: 10, before: last })
      const [deployment] = rest.slice(-1)
      expect([...first, ...rest].map(({ hash }) => hash)).toEqual([...hashes.toReversed(), deployment?.hash])
      expect(deployment?.contractAddress).toBe(reverter)

      const calls = await loadCallsOf(queries, { address: reverter, as: 'recipient' }, { limit: 3, before: undefined })
      expect(calls.map(({ depth, sender, outcome }) => [depth, sender === reverter, outcome])).toEqual([
        [0, false, 'succeeded'],
        [1, true, 'failed'],
        [0, false, 'succeeded'],
      ])
      const older = await loadCallsOf(
        queries,
        { address: reverter, as: 'recipient' },
        { limit: 9, before: calls.at(-1) },
      )
      expect(older.map(({ type, outcome }) => [type, outcome])).toEqual([
        ['CALL', 'failed'],
        ['CALL', 'succeeded'],
        ['CREATE', 'succeeded'],
      ])
      expect(await loadCallsOf(queries, { address: reverter, as: 'sender' }, page)).toHaveLength(1)
      const failed = { address: reverter, as: 'recipient', outcome: 'failed' } as const
      expect(await loadCallsOf(queries, failed, { limit: 9, before: undefined })).toHaveLength(2)

      expect(await countActivity(queries, reverter, 1000)).toEqual({
        transactions: 5,
        callsTo: 6,
        callsBy: 1,
        failedCallsTo: 2,
        events: 0,
        transfers: 0,
      })
      // By hand: attempt was called four times, once from inside; two of the calls failed.
      const gas = (await loadCallsOf(queries, { address: reverter, as: 'recipient' }, { limit: 9, before: undefined }))
        .filter(
          ({ selector }) =>
            selector === encodeFunctionData({ abi: Reverter.abi, functionName: 'attempt', args: [true] }).slice(0, 10),
        )
        .map(({ gasUsed }) => gasUsed)
        .sort((a, b) => Number(a - b))
      expect(gas).toHaveLength(4)
      const [most, second] = await loadMethodStatistics(queries, reverter, 1000)
      expect(most).toMatchObject({ calls: 4, reverts: 2, gasP50: gas[1], gasP95: gas[3], gasMax: gas[3] })
      expect(second).toMatchObject({ calls: 1, reverts: 0 })
    })
  })

  it('holds events, transfers and the keys of mappings', async () => {
    const token = await deployContract(network.client, PlainToken, ['A', 'A', 100n])
    const me = network.client.account.address.toLowerCase() as Address
    const friend: Address = `0x${'f1'.repeat(20)}`
    for (const amount of [1n, 2n, 3n])
      await network.client.writeContract({
        address: token,
        abi: PlainToken.abi,
        functionName: 'transfer',
        args: [friend, amount],
      })
    await network.client.sendTransaction({ to: friend, value: 7n })
    await read(async (queries) => {
      const all = { limit: 10, before: undefined }
      const of = { address: friend, as: 'party' } as const
      expect((await loadTransfersOf(queries, of, all)).map(({ kind, amount }) => [kind, amount])).toEqual([
        ['native', 7n],
        ['erc20', 3n],
        ['erc20', 2n],
        ['erc20', 1n],
      ])
      const [newest] = await loadTransfersOf(queries, of, { limit: 1, before: undefined })
      const next = await loadTransfersOf(queries, { ...of, token }, { limit: 2, before: newest })
      expect(next.map(({ amount }) => amount)).toEqual([3n, 2n])
      expect(await loadTransfersOf(queries, { address: token, as: 'token' }, all)).toHaveLength(4)
      expect(await loadTransfersOf(queries, { address: me, as: 'party', kind: 'erc20' }, all)).toHaveLength(4)
      const [latest] = await loadLogsOf(queries, { address: token }, { limit: 1, before: undefined })
      const logs = await loadLogsOf(queries, { address: token }, { limit: 10, before: latest })
      expect(logs.map(({ blockNumber }) => blockNumber)).toEqual([3n, 2n, 1n])
      const keys = await loadMappingsOf(queries, token)
      expect(
        keys
          .filter(({ base }) => base === pad('0x0'))
          .map(({ key }) => key)
          .sort(),
      ).toEqual([pad(me), pad(friend)].sort())
    })
  })

  it('goes with the blocks that evm_revert takes back, and what was deployed in them', async () => {
    await network.rpc('dev_importContracts', { contracts: [localContract('Child', Child)] })
    const factory = await deployContract(network.client, Factory)
    const make = (number: bigint) =>
      network.client.writeContract({ address: factory, abi: Factory.abi, functionName: 'create', args: [number] })
    const children = async () => {
      const [imported] = await network.rpc<{ deployments: { address: string }[] }[]>('dev_getImportedContracts')
      return imported?.deployments.length
    }
    await make(1n)
    const counted = () => read((queries) => countActivity(queries, factory, 1000))
    const keys = () => read((queries) => loadMappingsOf(queries, token))
    const token = await deployContract(network.client, PlainToken, ['A', 'A', 100n])
    const [before, keysBefore] = [await counted(), await keys()]
    expect([before.callsTo, before.callsBy, await children()]).toEqual([2, 1, 1])
    const snapshot = await network.rpc('evm_snapshot')
    await make(2n)
    await network.client.writeContract({
      address: token,
      abi: PlainToken.abi,
      functionName: 'transfer',
      args: [factory, 1n],
    })
    expect([(await counted()).callsTo, (await keys()).length, await children()]).toEqual([3, keysBefore.length + 1, 2])
    await network.rpc('evm_revert', snapshot)
    expect([await counted(), await keys(), await children()]).toEqual([before, keysBefore, 1])
    await make(2n)
    await network.client.writeContract({
      address: token,
      abi: PlainToken.abi,
      functionName: 'transfer',
      args: [factory, 1n],
    })
    expect([(await counted()).callsTo, (await keys()).length, await children()]).toEqual([3, keysBefore.length + 1, 2])
  })

  it('stays, with what is imported, when local state is wiped', async () => {
    await network.rpc('dev_importContracts', { contracts: [localContract('Counter', Counter)] })
    const counter = await deployContract(network.client, Counter, [1n])
    await network.client.writeContract({ address: counter, abi: Counter.abi, functionName: 'increment' })
    await network.rpc('mock_wipeLocalState')
    const { contracts } = await network.rpc<{ contracts: unknown[] }>('dev_importContracts', {
      contracts: [localContract('Counter', Counter)],
    })
    expect(contracts).toMatchObject([{ status: 'unchanged' }])
    expect((await read((queries) => countActivity(queries, counter, 1000))).callsTo).toBe(2)
  })
})

describe('a network that is killed', () => {
  /** Imports, deploys and calls until the network dies; answers what it was told. */
  async function work(client: TestClient, url: string, started: () => void) {
    const answered: { hash: Hex; deployed: Address | undefined }[] = []
    try {
      await postJsonRpc(url, 'dev_importContracts', [{ contracts: [localContract('Counter', Counter)] }])
      for (;;) {
        const counter = await deployContract(client, Counter, [1n])
        const hash = await client.writeContract({
          address: counter,
          abi: Counter.abi,
          functionName: 'increment',
          gas: 100_000n,
        })
        answered.push({ hash, deployed: counter })
        if (answered.length === 3) started()
      }
    } catch {
      return answered
    }
  }

  it('knows the calls and deployments of every transaction that it answered', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-activity-'))
    const start = () => runCommand(['start', '--port', '0', '--data-dir', directory], directory)
    const first = start()
    const url = await first.listening
    let begun = () => {}
    const enough = new Promise<void>((resolve) => {
      begun = resolve
    })
    const working = connectClient(url).then((client) => work(client, url, begun))
    await enough
    first.child.kill('SIGKILL')
    await first.ended
    const answered = await working
    const second = start()
    const again = await second.listening
    const [imported] = await postJsonRpc<{ deployments: { address: string }[] }[]>(
      again,
      'dev_getImportedContracts',
      [],
    )
    const linked = new Set(imported?.deployments.map(({ address }) => address))
    for (const { hash, deployed } of answered) {
      expect(linked).toContain(deployed)
      expect(await postJsonRpc(again, 'dev_decodeTransaction', [hash])).toMatchObject({
        contract: 'Counter',
        calls: [{ to: deployed, function: { name: 'increment' }, outcome: 'succeeded' }],
      })
    }
    second.child.kill('SIGTERM')
    await second.ended
    rmSync(directory, { recursive: true, force: true })
  })
})
