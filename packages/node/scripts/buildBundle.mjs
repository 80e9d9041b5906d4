import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { buildFrom } from '../../../tooling/build/buildFrom.mjs'
import { bundleOptions } from './bundleOptions.mjs'

// Bundles the command, unless it was bundled from these same files.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const inputs = [
  'src',
  'generated/sampleContracts',
  'generated/walletContracts',
  'scripts',
  'package.json',
  '../evm/src',
  '../client/src',
  '../../package-lock.json',
  '../../tooling/build/listPackages.mjs',
].map((name) => join(packageDir, name))
const isBuilt = await buildFrom(join(packageDir, 'dist/.bundled-from'), inputs, async () => {
  // It has compiled code of an earlier build.
  rmSync(join(packageDir, 'dist/compile-cache'), { recursive: true, force: true })
  await build(bundleOptions)
})
if (isBuilt) console.log('Bundled the command')
