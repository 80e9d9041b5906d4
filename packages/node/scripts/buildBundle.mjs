import { rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { buildFrom } from '../../../tooling/build/buildFrom.mjs'
import { listPackages } from '../../../tooling/build/listPackages.mjs'

// Bundles the command line, from its sources, into a few files: a process that loads a thousand files takes more than twice
// as long to start. They are CommonJS, whose compiled code bin/loadBundle.cjs can keep in Node.js 20 too.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const bundleDir = join(packageDir, 'dist/bundle')
const sourceOf = (name) => join(packageDir, '..', name, 'src/index.ts')

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
    const [, file] = id.split(`${sep}evm${sep}src${sep}`)
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

/** Threads have files of their own. */
const threadFile = /'\.\/(thread|solcThread)\.js'/
const threadFiles = {
  name: 'thread-files',
  transform: (code) => (threadFile.test(code) ? code.replace(threadFile, "'./$1.cjs'") : null),
}

const bundle = () =>
  build({
    input: {
      main: join(packageDir, 'src/cli/main.ts'),
      index: join(packageDir, 'src/api/index.ts'),
      thread: join(packageDir, 'src/workers/thread.ts'),
      solcThread: join(packageDir, 'src/contracts/verification/solcThread.ts'),
    },
    resolve: { alias: { '@understudy/client': sourceOf('client'), '@understudy/evm': sourceOf('evm') } },
    platform: 'node',
    // Modules that look for their own files next to them.
    external: ['libsql', 'pino-pretty'],
    plugins: [
      undiciClient,
      mcpWithoutValidator,
      engineFiles,
      threadFiles,
      listPackages(join(packageDir, 'dist/bundled.json'), packageDir),
    ],
    output: {
      dir: bundleDir,
      cleanDir: true,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      comments: false,
    },
  })

const inputs = [
  'src',
  'generated/sampleContracts',
  'generated/walletContracts',
  'scripts',
  'package.json',
  '../evm/src',
  '../client/src',
  '../../package-lock.json',
  '../../tooling/build/listPackages.mjs',
].map((name) => join(packageDir, name))
const isBuilt = await buildFrom(join(packageDir, 'dist/.bundled-from'), inputs, async () => {
  // It has compiled code of an earlier build.
  rmSync(join(packageDir, 'dist/compile-cache'), { recursive: true, force: true })
  await bundle()
})
if (isBuilt) console.log('Bundled the command')
