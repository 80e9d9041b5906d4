// Compiles assembly/ to generated/evm.wasm and generated/evm-tracing.wasm. Does nothing when neither sources nor compiler changed.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

function readOptional(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const sources = new Map(
  readdirSync(assembly, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => [name, readFileSync(join(assembly, name), 'utf8')]),
)
const fingerprint = createHash('sha256')
  .update(JSON.stringify([...sources]))
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(fileURLToPath(import.meta.resolve('assemblyscript/package.json'))))
  .digest('hex')
const stamp = join(generated, 'sources.sha256')

if (readOptional(stamp) !== fingerprint) {
  const { default: asc } = await import('assemblyscript/asc')
  const { default: binaryen } = await import('assemblyscript/binaryen')
  /** Exports all that changes while a message runs, so that the host can save it in its middle. */
  const withGlobals = (bytes) => {
    const module = binaryen.readBinary(bytes)
    for (let at = 0; at < module.getNumGlobals(); at++) {
      const { name, mutable } = binaryen.getGlobalInfo(module.getGlobalByIndex(at))
      if (mutable) module.addGlobalExport(name, `${mutablePrefix}${at}`)
    }
    return module.emitBinary()
  }
  mkdirSync(generated, { recursive: true })
  for (const { name, tracing } of flavors) {
    const outputs = new Map()
    const { error, stdout, stderr } = await asc.main([...options, '--outFile', `${name}.wasm`], {
      readFile: (path) => {
        const source = sources.get(path)
        return path === 'flavor.ts' ? source.replace('= false', `= ${tracing}`) : (source ?? null)
      },
      writeFile: (path, contents) => outputs.set(path, contents),
      listFiles: () => [],
    })
    if (error) {
      console.error(stdout.toString() + stderr.toString())
      process.exit(1)
    }
    const bytes = outputs.get(`${name}.wasm`)
    writeFileSync(join(generated, `${name}.wasm`), tracing ? withGlobals(bytes) : bytes)
  }
  writeFileSync(stamp, fingerprint)
}
