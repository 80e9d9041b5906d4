import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { flagName } from '../../packages/node/src/config/config.ts'
import { type OptionKey, options } from '../../packages/node/src/config/options.ts'

const guide = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../docs/operating.md'), 'utf8')

it('names only options that there are', () => {
  const flags = new Set((Object.keys(options) as OptionKey[]).map(flagName))
  // Other commands have options of their own.
  const ofStart = guide.replaceAll(
    /`understudy (?!start)[^`]*`|`docker run [^`]*`|^docker run [^`]*?understudy$|^(?:cast|understudy (?!start)\w+) .*$/gm,
    '',
  )
  const named = [...ofStart.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((flag) => !flags.has(flag))).toEqual([])
})
