import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { missingEntries } from './completeLock.mjs'

test('package-lock.json holds the binaries of every platform, as npm ci wants it; else run node tooling/completeLock.mjs', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  expect(Object.keys(missingEntries(lock))).toEqual([])
})

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
