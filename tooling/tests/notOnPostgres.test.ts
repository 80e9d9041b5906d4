import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { notInShortRun, notOnPostgres } from './notOnPostgres.ts'

it('names tests that there are', () => {
  const fileOf = (name: string) => fileURLToPath(new URL(`../../packages/node/test/${name}.test.ts`, import.meta.url))
  const names = Object.keys({ ...notOnPostgres, ...notInShortRun })
  expect(names.filter((name) => !existsSync(fileOf(name)))).toEqual([])
})
