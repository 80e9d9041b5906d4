import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

// Bundles the command line into a few files: a process that loads a thousand files takes more than twice as long to
// start.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
await build({
  input: join(packageDir, 'dist/cli/main.js'),
  platform: 'node',
  // Modules that look for their own files next to them.
  external: ['@understudy/evm', 'libsql', 'pino-pretty'],
  output: { dir: join(packageDir, 'dist/bundle'), cleanDir: true },
})
