import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildFrom } from '../../../tooling/build/buildFrom.mjs'

// Builds the dashboard into the folder from which the network serves it, unless it was built from these same files.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const outDir = join(packageDir, '../node/generated/dashboard')

/** Writes each text file's compressed forms beside it, so that serving them costs nothing. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
  }
}

const inputs = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../client/src',
  '../wallet/src',
  '../../package-lock.json',
  '../../tooling/build/listPackages.mjs',
  'scripts/buildDashboard.mjs',
].map((name) => join(packageDir, name))
const isBuilt = await buildFrom(join(outDir, '.built-from'), inputs, async () => {
  const { build } = await import('vite')
  await build({ root: packageDir, logLevel: 'warn' })
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(packageDir, '../wallet/src/script.ts'), formats: ['es'], fileName: () => 'wallet.js' },
    },
  })
  compress(outDir)
})
if (isBuilt) console.log('Built the dashboard')
