import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Installs what tests need of Debian (or Ubuntu), where it is missing. Needs root. `node tooling/installDebian.mjs postgresql`

/** Where each package is when it is installed. */
const paths = { 'chromium-headless-shell': '/usr/bin/chromium-headless-shell', postgresql: '/usr/lib/postgresql' }

for (const name of process.argv.slice(2)) {
  const path = paths[name]
  if (path === undefined) throw new Error(`expected ${Object.keys(paths).join(' or ')}, not ${name}`)
  if (existsSync(path)) {
    process.stdout.write(`${name} is installed\n`)
    continue
  }
  for (const words of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', name],
  ]) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status } = spawnSync('apt-get', words, { stdio: 'inherit', env: environment })
    if (status !== 0) process.exit(status ?? 1)
  }
}
