import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * What `npm start` runs: builds, and then is the network itself. A shell that ran one command after the other would die of the
 * signal that npm hands on, and leave behind the process that holds port and directory.
 */

/** How often it looks whether npm is still there, in ms. */
const watchInterval = 500

const launcher = process.ppid
await build()
watchLauncher()
process.argv = [process.execPath, commandPath(), 'start', ...process.argv.slice(2)]
await import('../packages/node/bin/understudy.js')

/** A signal ends the build with all of its processes, and then this one. */
async function build() {
  const builder = fileURLToPath(new URL('build.mjs', import.meta.url))
  const child = spawn(process.execPath, [builder, '--network'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const stop = (signal) => {
    endGroup(child.pid, signal)
    process.off(signal, stop)
    process.kill(process.pid, signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  const watch = setInterval(() => process.ppid !== launcher && stop('SIGTERM'), watchInterval)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearInterval(watch)
  for (const signal of signals) process.off(signal, stop)
  if (code !== 0) process.exit(code ?? 1)
}

function endGroup(id, signal) {
  try {
    process.kill(-id, signal)
  } catch {
    // All of it has ended.
  }
}

/**
 * Stops the network, as SIGTERM does, when npm is gone: SIGKILL gives npm no time to hand it on. Under nohup, systemd and in
 * containers npm lives as long as the network, so nothing is stopped there that should run on.
 */
function watchLauncher() {
  const watch = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, watchInterval)
}

function commandPath() {
  return fileURLToPath(new URL('../packages/node/bin/understudy.js', import.meta.url))
}
