import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postJsonRpc, runCommand, startUnderstudy, type Understudy } from '@understudy/testkit'
import type { Address } from 'viem'
import { defineScenario } from '../../shared/scenario.ts'
import { readArtifacts } from './artifacts.ts'
import type { Compilation, Project } from './project.ts'
import { projects } from './projects.ts'
import { compared, linesOf, type Row, tableOf } from './rows.ts'
import { hardhatTrace, ownTrace } from './traces.ts'
import { createWorld, type Request } from './world.ts'

const root = new URL('../../../../', import.meta.url)

/** Compares the stack traces of failures with those of Hardhat 3 on the same compiled contracts. */
export const stackTraces = defineScenario({
  name: 'compare stack-traces',
  summary: 'Each stack trace is at least as good as that of Hardhat 3, in contracts compiled in several ways.',
  options: { project: '', only: '', out: '' },
  async run({ options, figures, print }) {
    const tables: string[] = []
    const faults: string[] = []
    for (const project of projects.filter(({ folder }) => folder.includes(options.project))) {
      const right = new Map<string, readonly string[]>()
      for (const compilation of project.compilations) {
        const rows = await compare(project, compilation, options.only, right)
        if (compilation === project.compilations[0])
          for (const { name, ours, verdict } of rows) if (verdict === 'same') right.set(name, linesOf(ours))
        const table = tableOf(rows)
        tables.push(`## ${compilation.name}\n\n${table}`)
        print(`${compilation.name}\n\n${table}\n`)
        for (const verdict of ['same', 'better', 'differs', 'worse'] as const)
          figures.set(`${compilation.name}, ${verdict}`, rows.filter((row) => row.verdict === verdict).length)
        const worse = rows.filter(({ verdict }) => verdict === 'worse')
        faults.push(...worse.map((row) => `${compilation.name}: ${row.name}`))
      }
    }
    if (options.out) writeFileSync(options.out, `${tables.join('\n\n')}\n`)
    if (faults.length > 0) throw new Error(`Hardhat says more of:\n${faults.join('\n')}`)
  },
})

async function compare(
  project: Project,
  { compilers }: Compilation,
  only: string,
  right: ReadonlyMap<string, readonly string[]>,
): Promise<Row[]> {
  const { openSimulator } = await import(new URL('clients/simulator/open.mjs', root).href)
  const parent = mkdtempSync(join(tmpdir(), 'understudy-compare-'))
  const directory = join(parent, 'project')
  let network: Understudy | undefined
  let simulator: { request: Request; close(): void } | undefined
  try {
    simulator = await openSimulator({
      directory,
      contracts: fileURLToPath(new URL(`campaign/contracts/${project.folder}`, root)),
      packages: fileURLToPath(new URL(project.packages, root)),
      npmFilesToBuild: project.npmFilesToBuild,
      compilers,
    })
    network = await startUnderstudy([
      ...['--data-dir', join(parent, 'data'), '--log-level', 'error', '--disable-code-size-limit'],
    ])
    const { url } = network
    const own: Request = (method, params) => postJsonRpc(url, method, params)
    const hardhat = (simulator as { request: Request }).request
    const { code, stderr } = await runCommand(['push', directory, '--rpc-url', url]).ended
    if (code !== 0) throw new Error(`understudy push failed: ${stderr}`)
    const world = createWorld(project, readArtifacts(directory), (await hardhat('eth_accounts', [])) as Address[])
    for (const request of [hardhat, own]) await world.deploy(request)
    const rows: Row[] = []
    for (const failure of project.failures.filter(({ name }) => name.includes(only))) {
      const call = world.callOf(failure)
      const about = (error: Error) => new Error(`${failure.name}: ${error.message}`, { cause: error })
      const [theirs, ours] = [
        await hardhatTrace(hardhat, call).catch((error) => Promise.reject(about(error))),
        await ownTrace(own, call).catch((error) => Promise.reject(about(error))),
      ]
      rows.push(compared(failure.name, theirs, ours, right.get(failure.name)))
    }
    return rows
  } finally {
    simulator?.close()
    await network?.end()
    rmSync(parent, { recursive: true, force: true })
  }
}
