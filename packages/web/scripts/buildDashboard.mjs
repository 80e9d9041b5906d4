import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

// Builds the dashboard into the folder from which the network serves it, unless it was built from these same files.

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))
const outDir = join(packageDir, '../node/generated/dashboard')
const stamp = join(outDir, '.built-from')

/** A digest of everything that the build reads. */
function digestOfInputs() {
  const hash = createHash('sha256')
  const files = ['src', 'public', '../client/src'].flatMap((folder) =>
    readdirSync(join(packageDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const others = [
    'index.html',
    'vite.config.ts',
    'package.json',
    '../../package-lock.json',
    'scripts/buildDashboard.mjs',
  ]
  for (const file of [...files.sort(), ...others.map((name) => join(packageDir, name))])
    hash.update(file.slice(packageDir.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Writes each text file's compressed forms beside it, so that serving them costs nothing. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
  }
}

const digest = digestOfInputs()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  await build({ root: packageDir, logLevel: 'warn' })
  compress(outDir)
  writeFileSync(stamp, digest)
  console.log('Built the dashboard')
}
