import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, artifacts, connectClient, deployContract, requireSuccess, startAnvil } from '@understudy/testkit'
import { sql } from 'kysely'
import { encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyNetwork } from '../../src/app/copyNetwork.ts'
import { isOfBranches } from '../../src/storage/branches/layers.ts'
import type { PostgresLocation } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { allRowsOf, copiedTables, tables as facts } from '../../src/storage/tables.ts'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { dropTestLocation, requireTestLocation } from '../testDatabase.ts'

const someone = '0x00000000000000000000000000000000000000aa'
const noProgress = { begin() {}, at() {} }

let anvil: Anvil
let network: TestNetwork
let directory: string
const locations = [requireTestLocation(), requireTestLocation()] as const

/** Leaves something in as many tables as it can. */
async function live({ rpc, client }: TestNetwork): Promise<Hex> {
  const counter = await deployContract(client, artifacts.Counter, [0n])
  const token = await deployContract(client, artifacts.PlainToken, ['A', 'A', 100n])
  const { abi, deployedBytecode: bytecode } = artifacts.Counter
  await rpc('dev_importContracts', { contracts: [{ name: 'Counter', abi: JSON.stringify(abi), bytecode }] })
  await rpc('dev_addTrackedData', { address: someone, name: 'A name with \0 in it', type: 'native-token-balance' })
  await rpc('dev_addFunctionOverride', {
    contractAddress: token,
    functionAbi: 'function balanceOf(address) view returns (uint256)',
    returnValues: ['7'],
  })
  await rpc('dev_addWorkspace', { name: 'A wallet', address: someone })
  await rpc('dev_impersonateAccount', someone)
  await rpc('dev_setBalance', someone, '5000000000000000000')
  await rpc('dev_setStorageAt', counter, '0x5', pad('0x7'))
  await rpc('evm_snapshot')
  await rpc('dev_followAccount', '0x0000000000000000000000000000000000000bbb')
  for (let index = 0; index < 250; index++) await rpc('evm_mine')
  const data = encodeFunctionData({ abi, functionName: 'increment' })
  await requireSuccess(client, await client.sendTransaction({ to: counter, data }))
  const branch = await connectClient((await rpc<{ url: string }>('dev_createBranch', { name: 'side' })).url)
  await requireSuccess(branch, await branch.sendTransaction({ to: counter, data }))
  return counter
}

const readAll = async (location: string | PostgresLocation) => {
  const database = await openDatabase(location)
  const tables = new Map<string, unknown[]>()
  for (const name of copiedTables) {
    const key = [...(isOfBranches(name) ? ['branch'] : []), ...facts[name].copied]
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${allRowsOf(name)} order by ${sql.join(key.map((column) => sql.ref(column)))}`.execute(
      database.queries,
    )
    tables.set(name, rows.map(comparable))
  }
  await database.close()
  return tables
}
/** Drivers hand out blobs in different wrappings. */
const comparable = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array || value instanceof ArrayBuffer
        ? Buffer.from(value as Uint8Array).toString('hex')
        : value,
    ]),
  )

beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
  directory = mkdtempSync(join(tmpdir(), 'understudy-copy-'))
})
afterAll(async () => {
  await network.stop()
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
  for (const location of locations) await dropTestLocation(location)
})

describe('db copy', () => {
  it('moves a network in use to a data directory and back, row by row, works there, and replaces no network', {
    timeout: 120_000,
  }, async () => {
    const counter = await live(network)
    await network.node.stop()
    const original = await readAll(network.location)
    const filled = [...original].flatMap(([name, rows]) => (rows.length > 0 ? [name] : []))
    expect(filled.length).toBeGreaterThan(20)

    const copied: number[] = []
    await copyNetwork(network.location, directory, {
      begin: (total) => copied.push(total),
      at: (rows) => copied.push(rows),
    })
    expect(copied.at(-1)).toBe(copied[0])
    expect(await readAll(directory)).toEqual(original)

    const [url, name] = [locations[0].url, locations[0].network]
    const command = ['db', 'copy', '--from', directory, '--to', url, '--to-network', name]
    const { code, stdout, stderr } = await runCommand(command, directory).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Copied \d+ rows to postgres:\/\/\*\*\*@127\.0\.0\.1:\d+\/\w+, network t\w+\n$/)
    expect(await readAll(locations[0])).toEqual(original)

    await network.restart({ network: name })
    const side = await connectClient(`${network.url}/n/side`)
    expect(await side.readContract({ address: counter, abi: artifacts.Counter.abi, functionName: 'number' })).toBe(2n)
    const { abi } = artifacts.Counter
    expect(await network.client.readContract({ address: counter, abi, functionName: 'number' })).toBe(1n)
    const hash = await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    await requireSuccess(network.client, hash)
    expect(await network.client.readContract({ address: counter, abi, functionName: 'number' })).toBe(2n)
    // Numbers that the database gives go on where they were.
    await network.rpc('evm_snapshot')
    await network.rpc('dev_addTrackedData', { address: counter, name: 'Another', type: 'native-token-balance' })
    await network.restart()

    // It refuses a target that holds a network, a source that holds none, and one that runs.
    const empty = join(directory, 'empty')
    await expect(copyNetwork(empty, locations[1], noProgress)).rejects.toMatchObject({ kind: 'NETWORK_NOT_FOUND' })
    await expect(copyNetwork(locations[1], empty, noProgress)).rejects.toMatchObject({ kind: 'NETWORK_NOT_FOUND' })
    await expect(copyNetwork(directory, locations[0], noProgress)).rejects.toMatchObject({
      kind: 'COPY_TARGET_NOT_EMPTY',
    })
    await expect(copyNetwork(network.location, locations[1], noProgress)).rejects.toMatchObject({
      kind: 'NETWORK_IN_USE',
    })
  })
})

describe.each([
  ['in a data directory', () => mkdtempSync(join(tmpdir(), 'understudy-newer-'))],
  ['in PostgreSQL', requireTestLocation],
])('a network %s', (_, newLocation) => {
  it('is not opened when a newer version kept it', async () => {
    const location = newLocation()
    const database = await openDatabase(location)
    await database.transaction(async (queries) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999_future', '')`.execute(queries)
    })
    await database.close()
    await expect(openDatabase(location)).rejects.toMatchObject({
      kind: 'NETWORK_VERSION_TOO_NEW',
      message: expect.stringContaining('9999_future'),
    })
    if (typeof location === 'string') rmSync(location, { recursive: true })
    else await dropTestLocation(location)
  })
})
