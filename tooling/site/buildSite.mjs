import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exit } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'rolldown'
import { bundleOptions } from '../../packages/node/scripts/bundleOptions.mjs'
import { buildFrom } from '../build/buildFrom.mjs'

// Builds the documentation into the folder from which the network serves it, unless it was built from these same files. The
// pages of methods are made of the code, which is bundled for this: a change of the code counts only if it reaches them. With
// `--output FOLDER`, writes plain files for any web server instead.

const root = fileURLToPath(new URL('../..', import.meta.url))
const outDir = join(root, 'packages/node/generated/docs')
const generator = join(root, 'node_modules/.site/writeSite.mjs')
const inputs = [
  'node_modules/.site/writeSite.mjs',
  'docs',
  'tooling/site/theme',
  'tooling/build/listPackages.mjs',
  'package-lock.json',
  'packages/web/src/colours.css',
  'packages/web/public/icon.svg',
  ...['client', 'evm', 'node', 'testing', 'wallet'].map((name) => `packages/${name}/README.md`),
].map((name) => join(root, name))

/** The engine's hash needs its WebAssembly, which takes longest to build: the few hashes in examples are viem's. */
const hashWithoutEngine = {
  name: 'hash-without-engine',
  load(id) {
    if (!id.endsWith(join('evm', 'src', 'keccak.ts'))) return null
    return `import { getContractAddress, keccak256 as hash } from 'viem'
      export const keccak256Hex = (bytes) => hash(bytes)
      export const keccak256 = (bytes, into = new Uint8Array(32)) => (into.set(hash(bytes, 'bytes')), into)
      export const createdAddress = (from, nonce) => getContractAddress({ from, nonce })`
  },
}

await build({
  input: join(root, 'tooling/site/writeSite.ts'),
  plugins: [hashWithoutEngine],
  platform: 'node',
  resolve: bundleOptions.resolve,
  external: (id) => /^[^./]/.test(id) && !id.startsWith('@understudy/') && !id.startsWith(root),
  output: { file: generator, format: 'esm', comments: false, codeSplitting: false },
})
const loadGenerator = () => import(pathToFileURL(generator).href)
const { values } = parseArgs({ options: { output: { type: 'string' } } })
if (values.output !== undefined) {
  const { writeSite } = await loadGenerator()
  await writeSite(root, resolve(values.output), { isPacked: false })
  exit(0)
}
const isBuilt = await buildFrom(join(outDir, '.built-from'), inputs, async () => {
  rmSync(outDir, { recursive: true, force: true })
  const { writeSite } = await loadGenerator()
  await writeSite(root, outDir, { isPacked: true })
})
if (isBuilt) console.log('Built the documentation')
