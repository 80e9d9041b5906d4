import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

// Bundles the command line into a few files: a process that loads a thousand files takes more than twice as long to
// start. They are CommonJS, whose compiled code bin/loadBundle.cjs can keep in Node.js 20 too.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const bundleDir = join(packageDir, 'dist/bundle')

const undiciClient = {
  name: 'undici-client',
  resolveId: (id) => (id === 'undici' ? join(packageDir, 'scripts/undiciClient.cjs') : null),
}

/** Without its JSON Schema validator, which is half of it: the tools of /mcp check their arguments themselves. */
const mcpWithoutValidator = {
  name: 'mcp-without-validator',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? join(packageDir, 'scripts/mcpShims.mjs') : null),
}

/** The engine looks for its WebAssembly, and for native modules, from its own files. */
const engineFiles = {
  name: 'engine-files',
  transform(code, id) {
    const [, file] = id.split(`${sep}evm${sep}dist${sep}`)
    if (!file || !code.includes('import.meta.url')) return null
    const index = "createRequireForFiles(import.meta.url).resolve('@understudy/evm')"
    const url = `new URL('${file.split(sep).join('/')}', pathToFileURLForFiles(${index}))`
    return [
      "import { createRequire as createRequireForFiles } from 'node:module'",
      "import { pathToFileURL as pathToFileURLForFiles } from 'node:url'",
      code.replaceAll('import.meta.url', url),
    ].join('\n')
  },
}

/** A worker thread has a file of its own. */
const threadFile = {
  name: 'thread-file',
  transform: (code) => (code.includes("'./thread.js'") ? code.replace("'./thread.js'", "'./thread.cjs'") : null),
}

// It has compiled code of an earlier build.
rmSync(join(packageDir, 'dist/compile-cache'), { recursive: true, force: true })
await build({
  input: {
    main: join(packageDir, 'dist/cli/main.js'),
    index: join(packageDir, 'dist/api/index.js'),
    thread: join(packageDir, 'dist/workers/thread.js'),
  },
  platform: 'node',
  // Modules that look for their own files next to them.
  external: ['libsql', 'pino-pretty'],
  plugins: [undiciClient, mcpWithoutValidator, engineFiles, threadFile],
  output: {
    dir: bundleDir,
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments: false,
  },
})

// Leaves the compiled code for the first start.
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
