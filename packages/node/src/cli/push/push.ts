import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type CompiledContract, largestFile, outputFolders, readArtifacts } from '@understudy/client/artifacts'
import type { Result } from '@understudy/client/methods'
import { showProgress } from '../progress.ts'
import type { RemoteCommand } from '../remote/command.ts'
import { formatTable } from '../remote/format.ts'
import { RemoteError, type RemoteNetwork } from '../remote/network.ts'
import { watchOutput } from './watch.ts'

type Imported = Result<'dev_importContracts'>

/** Maximum size of one request in characters of JSON, below the body limit. */
const requestSize = 4_000_000

export const push: RemoteCommand = {
  usage: 'push [project]',
  summary: 'push contracts compiled by Foundry or Hardhat, so that the network recognises their deployments',
  options: [
    ['--watch', 'keep running, and push changed contracts after each compilation'],
    ['--storage-layout', 'also push storage layouts, if the artifacts have them'],
  ],
  examples: ['understudy push', 'understudy push ../contracts --watch'],
  async run(network, [project], { watch, storageLayout, json }) {
    const root = resolve(project ?? '.')
    const pushed = new Map<string, string>()
    const pushChanged = async () => {
      const contracts = await readProject(root, { storageLayouts: storageLayout === true })
      const changed = contracts.filter((contract) => {
        const text = JSON.stringify(contract)
        const key = `${contract.sourcePath}:${contract.name}`
        if (pushed.get(key) === text) return false
        pushed.set(key, text)
        return true
      })
      return changed.length === 0 ? undefined : send(network, changed)
    }
    // Start watching now, so that changes during the first push are not missed.
    const nextChange = watch ? watchOutput(root) : undefined
    const first = await pushChanged()
    if (!first && !nextChange) throw notCompiled(root)
    if (!nextChange) return first
    const print = (result: Imported) =>
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${describe(result)}\n`)
    if (first) print(first)
    process.stderr.write(`Watching ${root} (Ctrl+C stops it)\n`)
    for (;;) {
      await nextChange()
      try {
        const next = await pushChanged()
        if (next) print(next)
      } catch (error) {
        // The compiler may still be writing, or the network restarting: the next change pushes again.
        process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`)
        pushed.clear()
      }
    }
  },
  show: describe,
}

/** Pushes the contracts of a project that is compiled. */
export async function pushProject(network: RemoteNetwork, root: string): Promise<Imported> {
  const contracts = await readProject(root, { storageLayouts: false })
  if (contracts.length === 0) throw notCompiled(root)
  return send(network, contracts)
}

const notCompiled = (root: string) =>
  new RemoteError(
    `no compiled contracts in ${root}: neither ${outputFolders.join(' nor ')} has artifacts. Compile first, or pass another directory`,
  )

async function send(network: RemoteNetwork, contracts: readonly CompiledContract[]): Promise<Imported> {
  const result: Imported = { contracts: [], linkedDeployments: [] }
  const progress = showProgress('Pushing contracts', contracts.length)
  try {
    for (const chunk of chunksOf(contracts)) {
      const answer = await network.call('dev_importContracts', [{ contracts: chunk }])
      result.contracts.push(...answer.contracts)
      result.linkedDeployments.push(...answer.linkedDeployments)
      progress.at(result.contracts.length)
    }
  } finally {
    progress.end()
  }
  return result
}

function* chunksOf(contracts: readonly CompiledContract[]): Generator<CompiledContract[]> {
  let chunk: CompiledContract[] = []
  let size = 0
  for (const contract of contracts) {
    const { length } = JSON.stringify(contract)
    if (chunk.length > 0 && size + length > requestSize) {
      yield chunk
      chunk = []
      size = 0
    }
    chunk.push(contract)
    size += length
  }
  yield chunk
}

function describe({ contracts, linkedDeployments }: Imported): string {
  const counts = ['created', 'new_version', 'unchanged']
    .map((status) => [status.replace('_', ' '), contracts.filter((each) => each.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
  const summary = `Pushed ${contracts.length} ${contracts.length === 1 ? 'contract' : 'contracts'}: ${counts.join(', ')}`
  return linkedDeployments.length === 0
    ? summary
    : `${summary}\nExisting deployments:\n${formatTable(linkedDeployments, ['name', 'address', 'backfilledCalls'])}`
}

/** The compiled contracts of a project. */
async function readProject(project: string, options: { storageLayouts: boolean }): Promise<CompiledContract[]> {
  const paths: string[] = []
  for (const folder of outputFolders.filter((name) => existsSync(join(project, name))))
    for (const file of await readdir(join(project, folder), { recursive: true }))
      paths.push(`${folder}/${file.replaceAll('\\', '/')}`)
  return readArtifacts({ paths, read: (path) => readSmall(join(project, path)) }, options)
}

/** The content of a file; `undefined` if it does not exist or is too large. */
async function readSmall(path: string): Promise<string | undefined> {
  const size = existsSync(path) ? (await stat(path)).size : undefined
  return size === undefined || size > largestFile ? undefined : readFile(path, 'utf8')
}
