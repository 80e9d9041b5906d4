import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFrom } from '../../../tooling/build/buildFrom.mjs'

// Installs Foundry's programs, in a folder of their own: they are large, and only tests and benchmarks need them.

const folder = fileURLToPath(new URL('../../../clients/foundry', import.meta.url))
const inputs = ['package.json', 'package-lock.json'].map((name) => join(folder, name))
const words = ['ci', '--ignore-scripts', '--loglevel=error', '--prefix', folder]
const isInstalled = await buildFrom(join(folder, 'node_modules/.installed-from'), inputs, () =>
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] }),
)
if (isInstalled) console.log('Installed Foundry')
