import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Compiles every `.sol` file below a folder with solc-js and writes `index.js` and `index.d.ts` into the output folder:
 * one export per concrete contract of those files, typed literally, so that viem infers functions and events from it.
 * Nothing is done when the inputs are those of the last time.
 *
 * @param {object} options
 * @param {string} options.packageDir The package's folder: imports such as `@openzeppelin/…` are looked up from it.
 * @param {string} options.contractsDir Where the sources are.
 * @param {string} options.outDir Where the modules go.
 * @param {string} options.evmVersion The oldest fork that must run the code, such as `london`.
 * @param {Record<string, string>} [options.evmVersions] The same, for the folders of `contractsDir` that need another one.
 * @param {Record<string, string>} [options.prebuilt] Further exports: name → path of a JSON artifact of an npm package.
 * @returns {boolean} whether anything was compiled.
 */
export function compileSolidity({ packageDir, contractsDir, outDir, evmVersion, evmVersions = {}, prebuilt = {} }) {
  const sources = readSources(contractsDir)
  const versions = usedVersions(packageDir, JSON.stringify([sources, prebuilt]))
  const self = readFileSync(fileURLToPath(import.meta.url), 'utf8')
  const hash = createHash('sha256')
    .update(JSON.stringify([self, versions, evmVersion, evmVersions, prebuilt, sources]))
    .digest('hex')
  const stamp = join(outDir, '.inputs')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false

  const artifacts = []
  for (const [version, group] of groupByVersion(sources, evmVersion, evmVersions)) {
    artifacts.push(...compile(group, version, packageDir))
  }
  for (const [name, path] of Object.entries(prebuilt)) artifacts.push(readArtifact(name, resolvePath(packageDir, path)))
  artifacts.sort((a, b) => (a.contractName < b.contractName ? -1 : 1))

  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, 'index.js'), artifacts.map(moduleText).join('\n'))
  writeFileSync(join(outDir, 'index.d.ts'), artifacts.map(typeText).join('\n'))
  writeFileSync(stamp, hash)
  return true
}

/** @returns {Record<string, string>} source text by path below the folder, with `/`. */
function readSources(dir) {
  const paths = readdirSync(dir, { recursive: true })
    .filter((path) => path.endsWith('.sol'))
    .sort()
  return Object.fromEntries(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(dir, path), 'utf8')]))
}

/** The compiler and the packages that the sources name, as the manifest pins them. */
function usedVersions(packageDir, text) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name === 'solc' || text.includes(`${name}/`))
    .sort()
}

function groupByVersion(sources, evmVersion, evmVersions) {
  const groups = new Map()
  for (const [path, text] of Object.entries(sources)) {
    const version = evmVersions[dirname(path)] ?? evmVersion
    groups.set(version, { ...groups.get(version), [path]: text })
  }
  return groups
}

/** Without the assembly and the source maps, which are most of what the compiler can write. */
const bytecode = [
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]

function compile(sources, evmVersion, packageDir) {
  // Loaded only here: it takes a second, and most builds find nothing to do.
  const solc = createRequire(join(packageDir, 'package.json'))('solc')
  const settings = {
    evmVersion,
    optimizer: { enabled: true, runs: 200 },
    outputSelection: {
      '*': { '*': ['abi', 'metadata', 'storageLayout', ...bytecode] },
    },
  }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings,
  }
  const readImport = (path) => {
    try {
      return { contents: readFileSync(resolvePath(packageDir, path), 'utf8') }
    } catch (error) {
      return { error: error.message }
    }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const problems = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))

  return Object.keys(sources).flatMap((path) =>
    Object.entries(output.contracts[path] ?? {}).map(([contractName, contract]) => ({
      contractName,
      sourceName: path,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      linkReferences: contract.evm.bytecode.linkReferences,
      deployedLinkReferences: contract.evm.deployedBytecode.linkReferences,
      immutableReferences: contract.evm.deployedBytecode.immutableReferences ?? {},
      storageLayout: contract.storageLayout,
      metadata: contract.metadata,
    })),
  )
}

/** An artifact of an npm package, in the shape of Hardhat's or of the older waffle's. */
function readArtifact(contractName, path) {
  const { abi, bytecode, deployedBytecode, evm } = JSON.parse(readFileSync(path, 'utf8'))
  const hex = (text) => (text.startsWith('0x') ? text : `0x${text}`)
  return {
    contractName,
    sourceName: relative(process.cwd(), path).split(`node_modules${sep}`).at(-1),
    abi,
    bytecode: hex(bytecode ?? evm.bytecode.object),
    deployedBytecode: hex(deployedBytecode ?? evm.deployedBytecode.object),
    linkReferences: {},
    deployedLinkReferences: {},
    immutableReferences: {},
    storageLayout: null,
    metadata: '',
  }
}

/** Finds `@scope/package/file` in the `node_modules` of the package or of a folder above it. */
function resolvePath(packageDir, path) {
  for (let dir = packageDir; ; dir = dirname(dir)) {
    const candidate = join(dir, 'node_modules', path)
    if (existsSync(candidate)) return candidate
    if (dir === dirname(dir)) throw new Error(`File ${path} is in no node_modules folder above ${packageDir}`)
  }
}

function moduleText(artifact) {
  return `export const ${artifact.contractName} = ${JSON.stringify(artifact)}\n`
}

function typeText({ contractName, abi }) {
  return `export declare const ${contractName}: {
  readonly contractName: ${JSON.stringify(contractName)}
  readonly sourceName: string
  readonly abi: ${literalType(abi)}
  readonly bytecode: \`0x\${string}\`
  readonly deployedBytecode: \`0x\${string}\`
  readonly linkReferences: Record<string, Record<string, { start: number; length: number }[]>>
  readonly deployedLinkReferences: Record<string, Record<string, { start: number; length: number }[]>>
  readonly immutableReferences: Record<string, { start: number; length: number }[]>
  readonly storageLayout: { storage: { label: string; slot: string; offset: number; type: string }[]; types: unknown } | null
  readonly metadata: string
}
`
}

function literalType(value) {
  if (Array.isArray(value)) return `readonly [${value.map(literalType).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `readonly ${JSON.stringify(key)}: ${literalType(item)}`)
  return `{ ${fields.join('; ')} }`
}
