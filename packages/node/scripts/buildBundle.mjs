import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

// Puts the command line into a few files: a process that reads a thousand takes more than twice as long to start.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
await build({
  input: join(packageDir, 'dist/cli/main.js'),
  platform: 'node',
  // Those that look for files of their own beside them.
  external: ['@understudy/evm', 'libsql', 'pino-pretty'],
  output: { dir: join(packageDir, 'dist/bundle'), cleanDir: true },
})
