import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Starts the built command once, which leaves its compiled code for the next start.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
if (existsSync(join(packageDir, 'dist/compile-cache'))) process.exit()

const directory = mkdtempSync(join(tmpdir(), 'understudy-build-'))
const child = spawn(process.execPath, [
  join(packageDir, 'bin/understudy.js'),
  'start',
  '--port',
  '0',
  '--data-dir',
  directory,
])
child.stderr.pipe(process.stderr)
child.stdout.on('data', (text) => String(text).includes('Listening on') && child.kill('SIGTERM'))
const [code] = await once(child, 'close')
rmSync(directory, { recursive: true, force: true })
if (code !== 0) throw new Error(`The built command ended with code ${code}`)
