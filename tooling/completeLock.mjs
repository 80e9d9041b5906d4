import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Adds to the lock files the binaries of other platforms that npm left out, because the registry that it asked has them not:
 * `npm ci` refuses a lock file in which an optional dependency is missing, even one that this platform never installs.
 * To be run after such an install: `node tooling/completeLock.mjs`. It also asks the registry for the hashes that are missing.
 */

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string>, dev?: boolean }> }} lock
 * @returns {Record<string, object>} the entries that are missing, by their key.
 */
export function missingEntries(lock) {
  const missing = {}
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const keys = [`${parent}/node_modules/${name}`, `node_modules/${name}`]
      if (!keys.some((key) => key in lock.packages)) missing[`node_modules/${name}`] = entryOf(name, version, dev)
    }
  }
  return missing
}

/** What the package's name says of where it runs. */
function entryOf(name, version, dev) {
  const words = name.replace('amd64', 'x64').split(/[/-]/)
  const [os, cpu] = [systems, processors].map((known) => known.filter((word) => words.includes(word)))
  if (os.length + cpu.length === 0) throw new Error(`${name} is missing, and does not say for which platform it is`)
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : []
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}

/**
 * @param {{ packages: Record<string, { link?: boolean, integrity?: string }> }} lock
 * @returns {string[]} the keys of the packages that npm would install without comparing a hash.
 */
export function keysWithoutHash(lock) {
  return Object.entries(lock.packages).flatMap(([key, { link, integrity }]) =>
    key.includes('node_modules/') && !link && integrity === undefined ? [key] : [],
  )
}

/** The hash of a package in the registry; `undefined` where the registry does not have it. */
function hashOf(name, version) {
  try {
    const words = ['view', `${name}@${version}`, 'dist.integrity', '--json']
    return JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

/** Every lock file of the project. */
export const lockFiles = [
  'package-lock.json',
  'clients/envio/package-lock.json',
  'clients/foundry/package-lock.json',
  'clients/hardhat2/package-lock.json',
  'clients/hardhat3/package-lock.json',
  'clients/ponder/package-lock.json',
  'clients/remix/package-lock.json',
  'clients/simulator/package-lock.json',
  'tooling/nodes/package-lock.json',
].map((path) => new URL(`../${path}`, import.meta.url))

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of lockFiles) {
    const lock = JSON.parse(readFileSync(path, 'utf8'))
    const packages = Object.entries({ ...lock.packages, ...missingEntries(lock) }).sort(([a], [b]) => (a < b ? -1 : 1))
    const completed = { ...lock, packages: Object.fromEntries(packages) }
    for (const key of keysWithoutHash(completed)) {
      const entry = completed.packages[key]
      const integrity = hashOf(entry.name ?? key.split('node_modules/').at(-1), entry.version)
      if (integrity) entry.integrity = integrity
      else process.stderr.write(`The registry does not have ${key} ${entry.version}: it stays without a hash\n`)
    }
    writeFileSync(path, `${JSON.stringify(completed, null, 2)}\n`)
  }
}
