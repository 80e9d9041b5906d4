import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Installs PostgreSQL, on which the tests of whole networks run too, where it is missing. Needs Debian (or Ubuntu) and root.

if (existsSync('/usr/lib/postgresql')) process.stdout.write('postgresql is installed\n')
else {
  for (const words of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', 'postgresql'],
  ]) {
    const { status } = spawnSync('apt-get', words, {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) process.exit(status ?? 1)
  }
}
