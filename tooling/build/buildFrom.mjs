import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Builds something unless it was built from these same files.
 *
 * @param {string} stamp The file that stores what it was built from.
 * @param {readonly string[]} inputs Files, and folders with all their files but tests.
 * @param {() => unknown} build May return a promise.
 * @returns {Promise<boolean>} whether it was built.
 */
export async function buildFrom(stamp, inputs, build) {
  const digest = digestOf(inputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false
  // A build that is interrupted is done again.
  rmSync(stamp, { force: true })
  await build()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
  return true
}

function digestOf(inputs) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap(filesOf).sort()) hash.update(relative(root, file)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesOf(input) {
  if (statSync(input).isFile()) return [input]
  return readdirSync(input, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
