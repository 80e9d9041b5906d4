import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, exit, stdout } from 'node:process'

/**
 * What the action does: starts a network, waits until it is ready, runs a command that finds it, prints the network's log, and
 * ends with the exit code of the command. The inputs of action.yml are its environment.
 */

const { ACTION_FROM: from, ACTION_FORK_URL: forkUrl, ACTION_RECORD: record, ACTION_DATA: data = '.understudy' } = env
if (!from && !forkUrl) throw new Error('Pass from, a recording, or fork-url, the URL of a live chain')

const sources = from
  ? ['--from', from, ...(forkUrl ? ['--extend', '--fork-url', forkUrl] : ['--offline'])]
  : ['--fork-url', forkUrl, ...(record ? ['--record', record] : [])]
// A recording is played, and made, on a network that knows nothing else.
const dataDirectory = `${data}/${from || record ? `run-${Date.now()}` : 'live'}`
const flags = [...sources, '--port', '0', '--data-dir', dataDirectory].map(quote)
const command = `exec ${env.ACTION_COMMAND} start ${flags.join(' ')} ${env.ACTION_ARGS ?? ''}`
const network = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
const ended = once(network, 'close')
let log = ''
for (const stream of [network.stdout, network.stderr])
  stream.setEncoding('utf8').on('data', (text) => {
    log += text
  })

let code = 1
try {
  const url = await ready()
  // Of the last run, only what was read of the live chain is of use.
  if (!from && !record) await fetch(url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"anvil_reset"}' })
  stdout.write(`The network is ready at ${url}\n`)
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', env.ACTION_RUN ?? ''], {
    stdio: 'inherit',
    env: { ...env, UNDERSTUDY_RPC_URL: url, ETH_RPC_URL: url },
  })
  code = (await once(child, 'close'))[0] ?? 1
} catch (error) {
  stdout.write(`::error::${error.message}\n`)
} finally {
  try {
    // The group: npx and the network.
    process.kill(-network.pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
  await ended
  stdout.write(`::group::Log of the network\n${log}\n::endgroup::\n`)
}
exit(code)

/** Resolves with the URL of the network once its health is good. */
async function ready() {
  const end = Date.now() + 1000 * Number(env.ACTION_WAIT || 60)
  for (let isOver = false; !isOver; isOver = network.exitCode !== null) {
    if (Date.now() > end) throw new Error(`The network was not ready within ${env.ACTION_WAIT || 60} seconds`)
    const [, url] = /Listening on (\S+)/.exec(log) ?? []
    const response = url && (await fetch(`${url}/health`).catch(() => undefined))
    if (response?.ok) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The network did not start')
}

function quote(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
