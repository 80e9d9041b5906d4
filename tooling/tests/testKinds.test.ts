import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { inFullRun, unitTests } from './testKinds.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('leaves only tests that there are to the full run', () => {
  const isThere = (path: string) => {
    const [folder, start] = path.endsWith('/') ? [path, ''] : [dirname(path), basename(path)]
    return readdirSync(root + folder).some((name) => name.startsWith(start) && name.endsWith('.test.ts'))
  }
  expect(Object.keys(inFullRun).filter((path) => !isThere(path))).toEqual([])
})

it('takes those beside the code for unit tests that start nothing', () => {
  const found = unitTests()
  expect(found).toContain('packages/node/src/shared/codec.test.ts')
  expect(found).not.toContain('packages/node/src/upstream/upstream.test.ts')
  expect(found.length).toBeGreaterThan(100)
})
