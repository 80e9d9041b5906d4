import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatDuration, median } from '../times.ts'
import { manyContracts, realContracts } from './projects.ts'

/** Maximum time to compare a deployment with all imported contracts, in microseconds. */
const allowed = 5000
const count = 5000
const samples = 200

type Library = {
  push(contracts: unknown): Promise<unknown>
  match(code: Uint8Array, initCode?: Uint8Array): Promise<unknown[]>
}

/** A module of the built network that it does not export. */
const internal = (path: string) =>
  import(join(dirname(createRequire(import.meta.url).resolve('@understudy/node/package.json')), 'dist', path))

/** Imports thousands of contracts, and compares deployments with them. */
export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-import-'))
  const { openDatabase } = await internal('storage/openDatabase.js')
  const { createContractLibrary } = await internal('contracts/contractLibrary.js')
  const { checkContracts } = await internal('contracts/importedContract.js')
  const database = await openDatabase(directory)
  try {
    let ids = 0
    const open = (): Promise<Library> =>
      createContractLibrary({ database, clock: { now: Date.now }, createId: () => String(ids++) })
    const library = await open()
    const contracts = manyContracts(count)
    const bytes = contracts.reduce((sum, contract) => sum + JSON.stringify(contract).length, 0)
    console.log(`${count} contracts, ${(bytes / 1024 / 1024).toFixed(1)} MiB`)
    console.log('| work | time |')
    console.log('|---|---|')
    const time = async (name: string, task: () => Promise<unknown>) => {
      const start = performance.now()
      await task()
      console.log(`| ${name} | ${formatDuration((performance.now() - start) * 1000)} |`)
    }
    await time('import all of them', async () => library.push(await checkContracts(contracts)))
    await time('import them again, unchanged', async () => library.push(await checkContracts(contracts)))
    await time('open the library', open)

    const deployed = realContracts()
    const kinds = {
      'match a deployment that is one of them': (index: number) => deployed[index % deployed.length],
      'match a deployment that is none of them': (index: number) => {
        const { bytecode, creationBytecode } = deployed[index % deployed.length] as (typeof deployed)[number]
        return { bytecode: bytecode.replace(/.{200}$/, ''), creationBytecode: `${creationBytecode.slice(0, 700)}00` }
      },
    }
    let failed = false
    for (const [name, contractAt] of Object.entries(kinds)) {
      const times: number[] = []
      for (let index = 0; index < samples; index++) {
        const { bytecode = '', creationBytecode = '' } = contractAt(index) ?? {}
        const [code, initCode] = [bytecode, creationBytecode].map((hex) => Buffer.from(hex.slice(2), 'hex'))
        const start = performance.now()
        await library.match(code as Buffer, initCode)
        times.push((performance.now() - start) * 1000)
      }
      const slowest = Math.max(...times.slice(10))
      console.log(`| ${name} | ${formatDuration(median(times))}, at the most ${formatDuration(slowest)} |`)
      if (median(times) > allowed) failed = true
    }
    if (failed) {
      console.error(`Comparing a deployment with ${count} contracts took more than ${formatDuration(allowed)}`)
      process.exitCode = 1
    }
  } finally {
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
