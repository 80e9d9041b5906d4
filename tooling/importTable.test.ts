import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** Which folders of packages/node/src each folder may import. ARCHITECTURE.md says why. */
const table: Record<string, readonly string[]> = {
  shared: [],
  ethereum: ['shared'],
  config: [],
  storage: [],
  upstream: ['storage'],
  state: ['storage', 'upstream'],
  overrides: ['storage'],
  execution: ['storage', 'state'],
  chain: ['storage', 'upstream', 'state', 'execution'],
  tracking: ['storage', 'state', 'execution', 'chain'],
  contracts: ['storage', 'state', 'execution', 'chain'],
  workspaces: ['storage', 'state', 'execution', 'chain', 'overrides', 'tracking', 'contracts'],
  traces: ['storage', 'state', 'execution', 'chain'],
  audit: ['storage'],
  cluster: ['storage'],
  simulation: ['state', 'execution', 'chain'],
  rpc: [],
  server: ['rpc'],
  sample: ['app', 'config'],
  app: [
    'config',
    'storage',
    'upstream',
    'state',
    'execution',
    'overrides',
    'chain',
    'tracking',
    'contracts',
    'workspaces',
    'traces',
    'audit',
    'cluster',
    'simulation',
    'rpc',
    'server',
  ],
  cli: ['app', 'sample', 'config', 'audit'],
}
/** What every folder above them may import. */
const groundFloor = ['shared', 'ethereum']
/** Folders that may import types of any service, and nothing else of them. */
const typesOfServices = ['rpc', 'server']

const source = join(dirname(fileURLToPath(import.meta.url)), '../packages/node/src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replaceAll('\\', '/'))

/** Every import of a file of ours: what it imports, and whether only types. */
function importsOf(file: string): { path: string; onlyTypes: boolean }[] {
  const text = readFileSync(join(source, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gms)
  return [...statements].map(([, type, path = '']) => ({
    path: relative(source, join(source, dirname(file), path)),
    onlyTypes: type !== undefined,
  }))
}

const folderOf = (path: string) => path.split('/')[0] ?? ''

it('knows every folder', () => {
  expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in table))).toEqual([])
})

it('lets each folder import only what its row lists', () => {
  const forbidden = files.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => !path.startsWith('..'))
      .filter(({ path, onlyTypes }) => {
        const [from, to] = [folderOf(file), folderOf(path)]
        if (from === to || table[from]?.includes(to)) return false
        if (groundFloor.includes(to) && !groundFloor.includes(from)) return false
        return !(onlyTypes && typesOfServices.includes(from))
      })
      .map(({ path }) => `${file} imports ${path}`),
  )
  expect(forbidden).toEqual([])
})

it('has no cycle between folders', () => {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (table[from] ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  expect(Object.keys(table).filter((folder) => reaches(folder, folder))).toEqual([])
})
