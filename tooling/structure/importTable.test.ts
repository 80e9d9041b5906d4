import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cyclesOf, type Source, sourceOf } from './imports.ts'

/** The folders that each folder may import. ARCHITECTURE.md says why. */
type Table = Record<string, readonly string[]>

const nodeTable: Table = {
  shared: [],
  ethereum: ['shared'],
  config: [],
  storage: [],
  upstream: ['storage'],
  state: ['storage', 'upstream'],
  overrides: ['storage'],
  senders: ['storage'],
  execution: ['state'],
  chain: ['storage', 'upstream', 'state', 'senders', 'execution'],
  tracking: ['storage', 'state', 'execution', 'chain'],
  invariants: ['storage', 'execution', 'chain', 'tracking'],
  contracts: ['storage', 'state', 'execution', 'chain'],
  activity: ['storage', 'chain', 'contracts'],
  workspaces: ['storage', 'state', 'execution', 'chain', 'overrides', 'tracking', 'contracts', 'activity'],
  traces: ['storage', 'state', 'execution', 'chain', 'contracts', 'activity'],
  shadow: ['storage', 'upstream', 'state', 'execution', 'chain', 'contracts', 'fidelity'],
  webhook: ['storage', 'chain', 'invariants', 'shadow'],
  fidelity: ['storage', 'upstream', 'state', 'execution', 'chain', 'contracts', 'traces'],
  audit: ['storage'],
  cluster: ['storage'],
  wallet: ['storage', 'state', 'senders', 'execution', 'chain'],
  userOperations: ['state', 'senders', 'execution', 'chain', 'traces'],
  simulation: ['storage', 'state', 'execution', 'chain', 'contracts', 'activity', 'traces'],
  branches: ['storage', 'state', 'overrides', 'chain', 'activity', 'workspaces'],
  network: ['config', 'storage', 'upstream', 'chain', 'fidelity', 'shadow', 'webhook'],
  workers: ['state', 'execution', 'overrides', 'traces'],
  rpc: [],
  mcp: ['rpc'],
  server: ['cluster', 'rpc', 'mcp'],
  sample: ['app', 'config', 'contracts'],
  app: [
    'config',
    'storage',
    'upstream',
    'state',
    'senders',
    'execution',
    'overrides',
    'chain',
    'tracking',
    'invariants',
    'contracts',
    'activity',
    'workspaces',
    'traces',
    'fidelity',
    'shadow',
    'webhook',
    'audit',
    'cluster',
    'simulation',
    'userOperations',
    'wallet',
    'branches',
    'network',
    'workers',
    'rpc',
    'server',
  ],
  host: ['app', 'config', 'storage', 'cluster', 'workers', 'rpc', 'server'],
  api: ['app', 'sample', 'config'],
  cli: ['app', 'network', 'host', 'sample', 'config', 'audit', 'upstream'],
}

const webTable: Table = {
  errors: [],
  format: [],
  location: [],
  theme: [],
  'lib/rpc': ['errors', 'location'],
  lib: ['errors', 'format', 'location', 'lib/rpc'],
  ui: ['errors', 'format', 'theme'],
  components: ['format', 'location', 'lib', 'ui'],
  'features/api': ['errors', 'format', 'location', 'lib', 'lib/rpc'],
  'features/components': ['errors', 'format', 'location', 'theme', 'lib', 'ui', 'components', 'features/api'],
  routes: ['components', 'format', 'lib', 'ui', 'features/api', 'features/components'],
  '.': ['lib/rpc', 'location', 'routes', 'features/components'],
}

/**
 * What the rooms of a folder may import of each other. `ground` are files beside them that all may import; `.` are the other
 * ones.
 */
const rooms: Record<string, { ground: readonly string[]; table: Table }> = {
  upstream: {
    ground: ['answers.ts', 'wantedState.ts'],
    table: {
      endpoint: [],
      transport: ['endpoint'],
      head: ['endpoint', 'transport'],
      logs: ['endpoint', 'transport'],
      recording: ['transport'],
      '.': ['endpoint', 'transport', 'head', 'logs', 'recording'],
      rules: ['transport', 'head'],
      changes: ['transport', '.'],
      prefetch: ['.'],
      cache: ['transport', 'head', '.', 'changes', 'prefetch'],
      providers: ['endpoint', 'transport', 'head', '.'],
    },
  },
  storage: {
    ground: ['bytes.ts', 'callTables.ts', 'contractTables.ts', 'database.ts', 'schema.ts', 'tables.ts'],
    table: {
      migrations: [],
      branches: [],
      queries: ['branches'],
      records: ['migrations', 'branches', 'queries'],
      sqlite: ['migrations', 'branches', 'queries'],
      postgres: ['migrations', 'branches'],
      hosted: ['sqlite', 'postgres'],
      '.': ['branches', 'queries', 'records', 'sqlite', 'postgres'],
    },
  },
  rpc: {
    ground: ['examples.ts'],
    table: {
      codecs: [],
      subscriptions: ['codecs'],
      '.': ['subscriptions'],
      encode: ['codecs', '.'],
      topics: ['codecs', 'subscriptions', '.', 'encode'],
      methods: ['codecs', '.', 'encode', 'topics'],
      dispatch: ['.', 'encode'],
    },
  },
  chain: {
    ground: ['block.ts', 'chainEvents.ts', 'origins.ts'],
    table: {
      run: [],
      store: [],
      pool: ['run'],
      sealing: ['run', 'store', 'pool'],
      history: ['run', 'store', 'pool', 'sealing'],
      blobs: ['history'],
      submission: ['run', 'pool', 'sealing', 'history', 'blobs'],
      rewind: ['run', 'store', 'pool', 'sealing', 'history', 'submission'],
      '.': ['run', 'store', 'pool', 'sealing', 'history', 'blobs', 'submission', 'rewind'],
    },
  },
  traces: {
    ground: [],
    table: {
      runs: [],
      comparison: ['runs'],
      coverage: [],
      gas: ['runs'],
      '.': ['runs', 'comparison'],
      debugger: ['runs', '.'],
      slots: ['runs', '.'],
    },
  },
}

const topFolder = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.')

/** `features/api` for every feature, and `lib/rpc` apart from the rest of `lib`. */
function webFolder(path: string): string {
  const [first, second, third] = path.split('/')
  if (first === 'features') return `features/${third}`
  return first === 'lib' && second === 'rpc' ? 'lib/rpc' : topFolder(path)
}

type ImportRules = {
  source: Source
  table: Table
  folderOf: (path: string) => string
  /** What every other folder may import. */
  groundFloor?: readonly string[]
  /** Folders that may import the types of every folder. */
  mayImportTypes?: readonly string[]
}

const node: ImportRules = {
  source: sourceOf('packages/node/src'),
  table: nodeTable,
  folderOf: topFolder,
  groundFloor: ['shared', 'ethereum'],
  mayImportTypes: ['rpc', 'server'],
}
const web: ImportRules = { source: sourceOf('packages/web/src'), table: webTable, folderOf: webFolder }

describe.each([
  ['packages/node/src', node],
  ['packages/web/src', web],
] as const)('%s', (_, { source, table, folderOf, groundFloor = [], mayImportTypes = [] }) => {
  it('has only folders of its table', () => {
    expect([...new Set(source.files.map(folderOf))].filter((folder) => !(folder in table))).toEqual([])
  })

  it('imports only what the table lists', () => {
    const forbidden = source.imports
      .filter(({ from, to, onlyTypes }) => {
        const [folder, imported] = [folderOf(from), folderOf(to)]
        if (folder === imported || table[folder]?.includes(imported)) return false
        if (groundFloor.includes(imported) && !groundFloor.includes(folder)) return false
        return !(onlyTypes && mayImportTypes.includes(folder))
      })
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(forbidden).toEqual([])
  })

  it('has no cycle between folders', () => {
    const imports = Object.entries(table).flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
    expect(cyclesOf(imports)).toEqual([])
  })
})

describe.each(Object.entries(rooms))('packages/node/src/%s', (folder, { ground, table }) => {
  const source = sourceOf(`packages/node/src/${folder}`)
  const roomOf = (path: string) => (ground.includes(path) ? 'ground' : topFolder(path))
  it('has only rooms of its table', () => {
    expect(source.files.map(roomOf).filter((room) => room !== 'ground' && !(room in table))).toEqual([])
  })

  it('imports only what the table lists, and no cycle is in that', () => {
    const forbidden = source.imports.filter(({ from, to }) => {
      const [room, imported] = [roomOf(from), roomOf(to)]
      return room !== imported && imported !== 'ground' && !table[room]?.includes(imported)
    })
    expect(forbidden).toEqual([])
    expect(cyclesOf(Object.entries(table).flatMap(([from, targets]) => targets.map((to) => ({ from, to }))))).toEqual(
      [],
    )
  })
})

it('has no feature of the dashboard that imports another one', () => {
  const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
  const between = web.source.imports.filter(({ from, to }) => {
    const [feature, imported] = [featureOf(from), featureOf(to)]
    return feature !== undefined && imported !== undefined && feature !== imported
  })
  expect(between).toEqual([])
})

it.each(['packages/node/src', 'packages/web/src', 'packages/client/src', 'packages/evm/src'])(
  '%s has no cycle between files, type-only ones included',
  (folder) => {
    expect(cyclesOf(sourceOf(folder).imports)).toEqual([])
  },
)

/** The most entries of a folder: one with more holds several subjects. */
const entryLimit = 25

/** Folders that have more, and why. */
const largeFolders: Record<string, string> = {
  'packages/node/src': 'a folder is a part of the network',
  'packages/node/src/rpc/methods/eth': 'a file is a method',
  'packages/node/src/rpc/methods/dev': 'a file is a method',
}

it('has no folder with more entries than one subject needs', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const tooLarge: string[] = []
  const walk = (folder: string) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      ({ name }) => !name.startsWith('.') && !['node_modules', 'dist', 'generated'].includes(name),
    )
    if (entries.length > entryLimit) tooLarge.push(folder)
    for (const entry of entries) if (entry.isDirectory()) walk(`${folder}/${entry.name}`)
  }
  for (const folder of ['packages', 'bench', 'campaign', 'e2e', 'tooling']) walk(folder)
  expect(tooLarge.sort()).toEqual(Object.keys(largeFolders).sort())
})

/** A file with at most so many lines holds a type or a helper, which is easier to find beside what uses it. */
const smallFile = 25
/** Some are right as they are, such as the queries of a small table. */
const mostSmallFiles = 40

it('has few small files in the node, beside those of methods', () => {
  const small = node.source.files.filter((file) => {
    if (file.startsWith('rpc/methods/')) return false
    const lines = readFileSync(new URL(`../../packages/node/src/${file}`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
    return lines.length <= smallFile
  })
  expect(small.length, small.join('\n')).toBeLessThanOrEqual(mostSmallFiles)
})

/** Biome checks the same of TypeScript; it does not read AssemblyScript. */
const assembly = fileURLToPath(new URL('../../packages/evm/assembly', import.meta.url))
const most = { linesOfFile: 400, linesOfFunction: 100 }

const sources = readdirSync(assembly, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, lines: readFileSync(join(assembly, name), 'utf8').trimEnd().split('\n') }))

it('has no file of the engine that is too long, but the interpreter', () => {
  const long = sources.filter(({ lines }) => lines.length > most.linesOfFile)
  expect(long.map(({ name }) => name)).toEqual(['interpreter.ts'])
})

it('has no function of the engine that is too long, but the loop of the interpreter and rounds of hashes', () => {
  const long: string[] = []
  for (const { lines } of sources)
    for (const [from, line] of lines.entries()) {
      const name = /^(?:export )?function (\w+)/.exec(line)?.[1]
      if (name && lines.indexOf('}', from) - from >= most.linesOfFunction) long.push(name)
    }
  expect(long.sort()).toEqual(['blake2', 'interpret', 'permute'])
})
