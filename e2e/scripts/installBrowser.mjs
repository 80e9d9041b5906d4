import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Installs the browser in which the dashboard is tested, where it is missing. Needs Debian (or Ubuntu) and root.

if (existsSync('/usr/bin/chromium')) console.log('chromium is installed')
else {
  for (const words of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', 'chromium'],
  ]) {
    const { status } = spawnSync('apt-get', words, {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) process.exit(status ?? 1)
  }
}
