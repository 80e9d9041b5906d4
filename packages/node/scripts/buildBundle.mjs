import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

// Bundles the command line into a few files: a process that loads a thousand files takes more than twice as long to
// start.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const undiciClient = {
  name: 'undici-client',
  resolveId: (id) => (id === 'undici' ? join(packageDir, 'scripts/undiciClient.cjs') : null),
}

// It has compiled code of an earlier build.
rmSync(join(packageDir, 'dist/compile-cache'), { recursive: true, force: true })
await build({
  input: join(packageDir, 'dist/cli/main.js'),
  platform: 'node',
  // Modules that look for their own files next to them.
  external: ['@understudy/evm', 'libsql', 'pino-pretty'],
  plugins: [undiciClient],
  output: { dir: join(packageDir, 'dist/bundle'), cleanDir: true },
})
