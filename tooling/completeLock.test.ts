import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keysWithoutHash, lockFiles, missingEntries } from './completeLock.mjs'

test.each(lockFiles)(
  '%s holds the binaries of every platform, as npm ci wants it; else run node tooling/completeLock.mjs',
  (path) => {
    const lock = JSON.parse(readFileSync(path, 'utf8'))
    expect(Object.keys(missingEntries(lock))).toEqual([])
  },
)

/** Those binaries of other platforms that the registry did not have when the lock file was written. None of the product's is. */
test.each(lockFiles)(
  '%s has a hash of all that is installed here, and of all that the product needs anywhere',
  (path) => {
    const { packages } = JSON.parse(readFileSync(path, 'utf8'))
    const without = keysWithoutHash({ packages }).map((key) => ({ key, ...packages[key] }))
    const isElsewhere = (allowed: string[] | undefined, here: string) =>
      allowed !== undefined && !allowed.includes(here)
    const refused = without.filter(
      ({ optional, os, cpu, libc, dev }) =>
        !optional ||
        !(isElsewhere(os, 'linux') || isElsewhere(cpu, 'x64') || isElsewhere(libc, 'glibc')) ||
        (path === lockFiles[0] && !dev),
    )
    expect(refused).toEqual([])
  },
)

test('a missing binary is described by its name', () => {
  const packages = { 'node_modules/tool': { optionalDependencies: { '@tool/linux-amd64-musl': '1.2.3' }, dev: true } }
  expect(missingEntries({ packages })).toEqual({
    'node_modules/@tool/linux-amd64-musl': {
      version: '1.2.3',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
  })
})
