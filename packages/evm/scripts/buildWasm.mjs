// Compiles assembly/ to generated/evm.wasm and generated/evm-tracing.wasm, in one process: the compiler loads and gets warm once. Does nothing when neither sources nor compiler changed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFrom } from '../../../tooling/build/buildFrom.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const assembly = join(root, 'assembly')
const generated = join(root, 'generated')

/** Linear memory in 64 KiB pages: up to the memories of the frames at the start, and with them at most. See assembly/layout.ts. */
const initialPages = 648 * 16 + 64
const maximumPages = 1648 * 16
/** Where constant data begins; it must end before SCRATCH. */
const dataStart = 1024

/** What src/observers/savedInstance.ts knows exported globals by. */
const mutablePrefix = 'mutable:'

const options = [
  'index.ts',
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--exportStart',
  'start',
  '--memoryBase',
  `${dataStart}`,
  '--initialMemory',
  `${initialPages}`,
  '--maximumMemory',
  `${maximumPages}`,
  '--enable',
  'simd',
  '--enable',
  'bulk-memory',
]

const flavors = [
  { name: 'evm', tracing: false },
  { name: 'evm-tracing', tracing: true },
]

const sources = new Map(
  readdirSync(assembly, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(assembly, name), 'utf8')]),
)

/** Exports all that changes while a message runs, so that the host can save it in its middle. */
async function withGlobals(bytes) {
  const { default: binaryen } = await import('assemblyscript/binaryen')
  const module = binaryen.readBinary(bytes)
  for (let at = 0; at < module.getNumGlobals(); at++) {
    const { name, mutable } = binaryen.getGlobalInfo(module.getGlobalByIndex(at))
    if (mutable) module.addGlobalExport(name, `${mutablePrefix}${at}`)
  }
  return module.emitBinary()
}

async function compile({ name, tracing }) {
  const { default: asc } = await import('assemblyscript/asc')
  const outputs = new Map()
  const { error, stdout, stderr } = await asc.main([...options, '--outFile', `${name}.wasm`], {
    readFile: (path) => {
      const source = sources.get(path)
      return path === 'flavor.ts' ? source.replace('= false', `= ${tracing}`) : (source ?? null)
    },
    writeFile: (path, contents) => outputs.set(path, contents),
    listFiles: () => [],
  })
  if (error) throw new Error(stdout.toString() + stderr.toString())
  mkdirSync(generated, { recursive: true })
  const bytes = outputs.get(`${name}.wasm`)
  writeFileSync(join(generated, `${name}.wasm`), tracing ? await withGlobals(bytes) : bytes)
}

const inputs = [
  assembly,
  fileURLToPath(import.meta.url),
  fileURLToPath(import.meta.resolve('assemblyscript/package.json')),
]
for (const flavor of flavors) {
  if (await buildFrom(join(generated, `.${flavor.name}.sha256`), inputs, () => compile(flavor)))
    console.log(`Compiled ${flavor.name}.wasm`)
}
