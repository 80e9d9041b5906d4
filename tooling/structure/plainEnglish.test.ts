import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Literary or archaic words, with plain ones to use instead. */
const avoided: Record<string, string> = {
  whoever: 'a client, a caller, anyone who',
  whomever: 'a client, a caller, anyone who',
  nobody: 'no client, no one',
  meanwhile: 'in the meantime, during this time',
  herein: 'here, in it',
  thereof: 'of it',
  therein: 'in it',
  hitherto: 'until now',
  henceforth: 'from now on',
  whence: 'from where',
  albeit: 'although',
  whilst: 'while',
  afresh: 'again',
}

const pattern = new RegExp(`\\b(?:${Object.keys(avoided).join('|')})\\b`, 'i')
const listed = (...paths: string[]) =>
  execFileSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')

const tools = ['bench/src/**.ts', 'campaign/src/**.ts', 'tooling/**.ts', 'tooling/**.mjs']

/** The prose of a source file: its comments, and strings of several words. */
function proseOf(line: string): string {
  const comment = /^\s*(?:\/?\*|\/\/)/.test(line) ? line : (/\s\/[/*]\*? .*/.exec(line)?.[0] ?? '')
  const strings = [...line.matchAll(/'(?:\\.|[^'\\])* (?:\\.|[^'\\])*'|"[^"]* [^"]*"|`[^`]* [^`]*`/g)]
  return [comment, ...strings.map(([text]) => text)].join(' ')
}

/** What a test or a group of tests is called. */
const nameIn = (line: string): string => /^\s*(?:(?:it|describe)\b.*|\]\))\((['`].*)/.exec(line)?.[1] ?? ''

it.each([
  ['documents', listed('*.md').filter((file) => !file.startsWith('clients/')), (line: string) => line],
  [
    'comments and messages',
    listed('packages/*/src/**.ts', 'packages/*/src/**.tsx', 'packages/evm/assembly/**.ts', ...tools).filter(
      (file) => !/\.test\.tsx?$/.test(file),
    ),
    proseOf,
  ],
  ['names of tests', listed('*.test.ts'), nameIn],
])('%s use plain English', (_, files, proseIn) => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const word = pattern.exec(proseIn(line))?.[0]
        return word === undefined ? [] : [`${file}:${index + 1}: "${word}"; ${avoided[word.toLowerCase()]}`]
      }),
  )
  expect(files.length).toBeGreaterThan(5)
  expect(found).toEqual([])
})
