import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'
import { env, exit, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Installs the programs of others with which tests run: `npm run install-clients`. Each has an installation of its own in
 * `clients/`, beside the others at the same time. Envio generates the code of its indexer from `clients/envio/project`.
 */

const folderOf = (name) => fileURLToPath(new URL(`${name}/`, import.meta.url))
const codes = await Promise.all([
  ...['hardhat2', 'hardhat3', 'ponder', 'remix'].map(install),
  install('envio').then((code) => code || generateIndexer()),
])
if (codes.some((code) => code !== 0)) exit(1)

function install(name) {
  return run(name, 'npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folderOf(name))
}

function generateIndexer() {
  const project = folderOf('envio/project')
  if (existsSync(`${project}generated/src/Index.res.js`)) return 0
  return run('envio', 'envio', ['codegen'], project)
}

/** What it printed is shown when it failed. */
async function run(name, program, args, cwd) {
  const path = `${folderOf('envio')}node_modules/.bin${delimiter}${env.PATH}`
  const child = spawn(program, args, { cwd, env: { ...env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      printed += text
    })
  const [code] = await once(child, 'close')
  if (code !== 0) stdout.write(`${printed}${program} ${args.join(' ')} failed in clients/${name}\n`)
  return code
}
