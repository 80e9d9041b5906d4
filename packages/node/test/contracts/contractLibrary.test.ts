import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ContractLibrary, createContractLibrary } from '../../src/contracts/contractLibrary.ts'
import { checkContracts } from '../../src/contracts/importedContract.ts'
import { parseStorageLayout, sizeOfLayout } from '../../src/contracts/storageLayout/layout.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createId } from '../../src/storage/createId.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'

const number = { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' }
const variable = (label: string, type: string) => ({ label, slot: '0', offset: 0, type })
const storageLayout = {
  storage: [variable('x', 't_struct')],
  types: {
    t_uint256: number,
    t_struct: { ...number, members: [variable('a', 't_uint256'), variable('b', 't_uint256')] },
  },
}

let directory: string
let database: Database
let library: ContractLibrary
let versionId: string

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-library-'))
  database = await openDatabase(directory)
  library = await createContractLibrary({ database, clock: systemClock, createId })
  const abi = '[{"type":"function","name":"f","inputs":[],"outputs":[],"stateMutability":"view"}]'
  const contract = { name: 'Box', abi, bytecode: '0x6326121ff0', storageLayout }
  const [pushed] = await library.push(await checkContracts([contract]))
  versionId = pushed?.versionId ?? ''
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

it('reads a layout once for those who want it at the same time, and keeps it', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => library.loadStorageLayout(versionId)))
  expect(first?.variables).toMatchObject([{ label: 'x' }])
  expect(second).toBe(first)
  expect(await library.loadStorageLayout(versionId)).toBe(first)
})

it('answers what is being loaded when another node changes the library', async () => {
  const [layout, abi] = [library.loadStorageLayout(versionId), library.loadAbi(versionId)]
  await library.refresh({ queries: database.queries, isChanged: () => true })
  expect((await layout)?.variables).toMatchObject([{ label: 'x' }])
  expect((await abi).functions.size).toBe(1)
})

it('counts the types, the variables and the members of a layout, which its cache bounds', () => {
  const layout = parseStorageLayout(storageLayout)
  expect(layout && sizeOfLayout(layout)).toBe(5)
})
