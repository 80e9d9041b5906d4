import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockFiles, missingEntries } from './completeLock.mjs'

test.each(lockFiles)(
  '%s holds the binaries of every platform, as npm ci wants it; else run node tooling/completeLock.mjs',
  (path) => {
    const lock = JSON.parse(readFileSync(path, 'utf8'))
    expect(Object.keys(missingEntries(lock))).toEqual([])
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
