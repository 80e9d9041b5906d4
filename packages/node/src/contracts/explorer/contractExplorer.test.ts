import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@understudy/evm'
import { artifacts, createFakeClock, type ExplorerStandIn, type FakeClock, startExplorer } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { openDatabase } from '../../storage/openDatabase.ts'
import { loadExplorerContract } from '../../storage/records/contracts/explorerContracts.ts'
import { sourceLimit } from './abiSource.ts'
import { type ContractExplorer, createContractExplorer } from './contractExplorer.ts'
import { createExplorerSources, type ExplorerOptions } from './explorerSources.ts'

const counter: Address = '0x00000000000000000000000000000000000000c0'
const other: Address = '0x00000000000000000000000000000000000000c1'
const abi = artifacts.Counter.abi
const key = 'ABCDEF1234'
const hour = 3_600_000

let standIn: ExplorerStandIn
let database: Database
let directory: string
let clock: FakeClock
let explorer: ContractExplorer

function open(changes: Partial<ExplorerOptions> = {}): ContractExplorer {
  const options: ExplorerOptions = {
    explorerUrl: standIn.etherscanUrl,
    explorerKey: key,
    sourcifyUrl: standIn.sourcifyUrl,
    blockscoutUrl: standIn.blockscoutUrl,
    publicExplorers: false,
    ...changes,
  }
  const { sources, close } = createExplorerSources(options, { chainId: 1n, clock })
  const needs = { sources, close, database, clock, logger: createLogger('silent') }
  return createContractExplorer({ timeoutMs: 4000, unverifiedMs: hour }, needs)
}
const asked = () => standIn.requests.map(({ api }) => api)
const only = { explorerUrl: undefined, sourcifyUrl: undefined, blockscoutUrl: undefined }

beforeEach(async () => {
  standIn = await startExplorer({ chainId: 1, key })
  directory = mkdtempSync(join(tmpdir(), 'understudy-explorer-'))
  database = await openDatabase(directory)
  clock = createFakeClock()
  clock.skipUpTo(1000)
  explorer = open()
})
afterEach(async () => {
  await explorer.stop()
  await database.close()
  await standIn.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe('the contract explorer', () => {
  it('asks nothing before somebody wants to know', () => {
    expect(standIn.requests).toEqual([])
  })

  it('takes what Etherscan knows, asks it once, and keeps it in SQL', async () => {
    standIn.verify(counter, { name: 'Counter', abi, implementation: other })
    const answers = await Promise.all([explorer.load(counter), explorer.load(counter)])
    const contract = {
      source: 'etherscan',
      name: 'Counter',
      abi: JSON.stringify(abi),
      implementation: other,
      fetchedAt: clock.now(),
    }
    expect(answers).toEqual([
      { status: 'verified', contract },
      { status: 'verified', contract },
    ])
    expect(standIn.requests).toEqual([{ api: 'etherscan', address: counter, key }])
    standIn.trouble('down')
    await explorer.stop()
    explorer = open()
    expect(await explorer.load(counter)).toEqual({ status: 'verified', contract })
    expect(await explorer.loadKnown(counter)).toEqual(contract)
    expect(standIn.requests).toHaveLength(1)
  })

  it.each([
    ['sourcify', ['etherscan', 'sourcify']],
    ['blockscout', ['etherscan', 'sourcify', 'blockscout']],
  ] as const)('goes on to %s when those before do not know it', async (name, order) => {
    standIn.verify(counter, { name: 'Counter', abi, implementation: other }, name)
    const answer = await explorer.load(counter)
    expect(answer).toMatchObject({
      status: 'verified',
      contract: { source: name, name: 'Counter', implementation: other },
    })
    expect(asked()).toEqual(order)
  })

  it.each(['etherscan', 'sourcify', 'blockscout'] as const)('keeps the sources that %s publishes', async (name) => {
    const sources = { 'src/Counter.sol': 'import "./Other.sol";', 'src/Other.sol': 'contract Other {}' }
    standIn.verify(counter, { name: 'Counter', abi, sources }, name)
    expect(await explorer.load(counter)).toMatchObject({ status: 'verified', contract: { source: name } })
    expect(await loadExplorerContract(database.queries, counter)).toMatchObject({
      compiler: '0.8.30+commit.73712a01',
      files: Object.entries(sources).map(([path, content]) => ({ path, content })),
    })
  })

  it('keeps no sources that are too large', async () => {
    standIn.verify(counter, { name: 'Counter', abi, sources: { 'Counter.sol': ' '.repeat(sourceLimit) } })
    expect(await explorer.load(counter)).toMatchObject({ status: 'verified' })
    expect(await loadExplorerContract(database.queries, counter)).toMatchObject({ name: 'Counter', files: [] })
  })

  it('remembers for an hour, across restarts, that no explorer knows a contract', async () => {
    expect(await explorer.load(counter)).toEqual({ status: 'unverified' })
    await explorer.stop()
    explorer = open()
    clock.advance(hour - 10_000)
    standIn.verify(counter, { name: 'Counter', abi })
    expect(await explorer.load(counter)).toEqual({ status: 'unverified' })
    expect(asked()).toEqual(['etherscan', 'sourcify', 'blockscout'])
    clock.advance(20_000)
    expect(await explorer.load(counter)).toMatchObject({ status: 'verified' })
  })

  it('waits a second and asks again when a source takes no more requests', async () => {
    standIn.verify(counter, { name: 'Counter', abi })
    standIn.trouble('rate-limit', 2)
    expect(await explorer.load(counter)).toMatchObject({ status: 'verified', contract: { source: 'etherscan' } })
    expect(asked()).toEqual(['etherscan', 'etherscan', 'etherscan'])
    expect(clock.skipped().filter((ms) => ms === 1000)).toHaveLength(2)
  })

  it('leaves a source alone that has no requests left for the day', async () => {
    standIn.verify(counter, { name: 'Counter', abi })
    standIn.trouble('daily-limit', 1)
    expect(await explorer.load(counter)).toMatchObject({ contract: { source: 'sourcify' } })
    standIn.verify(other, { name: 'Counter', abi })
    expect(await explorer.load(other)).toMatchObject({ contract: { source: 'sourcify' } })
    expect(asked()).toEqual(['etherscan', 'sourcify', 'sourcify'])
  })

  it('sends requests to a source no faster than it takes them', async () => {
    await Promise.all([counter, other].map((address) => explorer.load(address)))
    const etherscan = standIn.requests.filter(({ api }) => api === 'etherscan')
    expect(etherscan.map(({ address }) => address)).toEqual([counter, other])
    expect(clock.skipped()).toContain(350)
  })

  it.each(['down', 'not-json'] as const)(
    'says so when all are %s, stores nothing, and asks again later',
    async (kind) => {
      standIn.verify(counter, { name: 'Counter', abi })
      standIn.trouble(kind)
      const answer = await explorer.load(counter)
      expect(answer).toMatchObject({
        status: 'unavailable',
        problem: expect.stringMatching(/etherscan .*sourcify .*blockscout/),
      })
      const requests = standIn.requests.length
      expect(await explorer.load(counter)).toEqual(answer)
      expect(standIn.requests).toHaveLength(requests)
      standIn.trouble(undefined)
      clock.advance(61_000)
      expect(await explorer.load(counter)).toMatchObject({ status: 'verified' })
    },
  )

  it('does not let a source that says nothing hold up who asks', async () => {
    standIn.verify(counter, { name: 'Counter', abi })
    standIn.trouble('silent')
    const answer = explorer.load(counter)
    await clock.waiting(1, 4000)
    clock.advance(4000)
    expect(await answer).toEqual({ status: 'unavailable', problem: 'still waiting for a block explorer' })
  })

  it('asks the next one when a key is wrong, and never shows the key', async () => {
    await explorer.stop()
    explorer = open({ ...only, explorerUrl: standIn.etherscanUrl, explorerKey: 'WRONG1234' })
    const answer = await explorer.load(counter)
    expect(answer).toEqual({
      status: 'unavailable',
      problem: 'etherscan rejects the key, or needs one: see --explorer-key',
    })
  })

  it('takes no ABI that cannot be decoded with', async () => {
    standIn.verify(counter, { name: 'Counter', abi: [{ type: 'function', name: 'f', inputs: [{ type: 'nonsense' }] }] })
    expect(await explorer.load(counter)).toEqual({ status: 'unverified' })
  })

  it('says that no explorer can be asked', async () => {
    await explorer.stop()
    explorer = open(only)
    expect(await explorer.load(counter)).toEqual({ status: 'unavailable', problem: 'no block explorer is configured' })
  })
})

describe('the sources of a configuration', () => {
  const none = { explorerUrl: undefined, explorerKey: undefined, sourcifyUrl: undefined, blockscoutUrl: undefined }
  const namesOf = async (options: Partial<ExplorerOptions>, chainId: bigint | undefined) => {
    const { sources, close } = createExplorerSources({ ...none, publicExplorers: true, ...options }, { chainId, clock })
    await close()
    return sources.map(({ name }) => name)
  }

  it('are the public ones by default, Etherscan only with a key', async () => {
    expect(await namesOf({}, 1n)).toEqual(['sourcify', 'blockscout'])
    expect(await namesOf({ explorerKey: key }, 1n)).toEqual(['etherscan', 'sourcify', 'blockscout'])
    expect(await namesOf({}, 424242n)).toEqual(['sourcify'])
  })

  it('are none for chains of one’s own, for what forks nothing, and when public ones are not wanted', async () => {
    expect(await namesOf({ explorerKey: key }, 31337n)).toEqual([])
    expect(await namesOf({ explorerKey: key }, undefined)).toEqual([])
    expect(await namesOf({ explorerKey: key, publicExplorers: false }, 1n)).toEqual([])
    expect(await namesOf({ blockscoutUrl: 'http://localhost:4000' }, 31337n)).toEqual(['blockscout'])
  })
})
