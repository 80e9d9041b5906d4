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

/** The words of the last column of the glossary, each with the term to use instead. */
function ruledOut(): { word: string; term: string }[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const rows = /## Glossary\n[^|]*\n((?:\|.*\n)+)/.exec(text)?.[1]?.trim().split('\n').slice(2) ?? []
  return rows.flatMap((row) => {
    const [term = '', , words = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return [...words.matchAll(/`([^`]+)`/g)].map(([, word]) => ({ word: word as string, term }))
  })
}

/** Finds a word, also as a part of a name: `parting` in `partingOf`, `findParting` and `PARTING_AT`, but not in `departing`. */
function partOfName(word: string): RegExp {
  const upper = word[0]?.toUpperCase() + word.slice(1)
  if (word === word.toUpperCase()) return new RegExp(`(?<![A-Z])${word}(?![A-Z])`)
  if (word.endsWith('…')) return new RegExp(`(?<![A-Za-z])${word.slice(0, -1)}[A-Z]|${upper.slice(0, -1)}(?![a-z])`)
  // `<aside>` is an element of HTML, and `place-items` a property of CSS.
  return new RegExp(`(?<![A-Za-z-]|</?)${word}(?![a-z]|-items)|${upper}(?![a-z])`)
}

it('finds ruled out words in names', () => {
  const pattern = partOfName('parting')
  for (const name of ['parting', 'partingOf', 'findParting', 'a parting of']) expect(name).toMatch(pattern)
  for (const name of ['departing', 'imparting', 'partings', 'parts']) expect(name).not.toMatch(pattern)
  expect('KEY_DISK_SPENT').toMatch(partOfName('SPENT'))
  for (const name of ['usualHead', 'readUsualHead']) expect(name).toMatch(partOfName('usual…'))
  for (const name of ['usual', 'unusualHead', 'usually']) expect(name).not.toMatch(partOfName('usual…'))
})

it('uses the words of the glossary', () => {
  const words = ruledOut().map(({ word, term }) => ({ word, term, pattern: partOfName(word) }))
  expect(words.length).toBeGreaterThan(20)
  const written = [/^CONTRIBUTING\.md$/, /^tooling\/structure\/plainEnglish\.test\.ts$/, /^docs\/provider-errors\.md$/]
  const files = listed('*.md', '*.ts', '*.tsx', '*.mjs').filter(
    (file) => !file.startsWith('clients/') && !written.some((pattern) => pattern.test(file)),
  )
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        words
          .filter(({ pattern }) => pattern.test(line))
          .map(({ word, term }) => `${file}:${index + 1}: "${word}"; the glossary says: ${term}`),
      ),
  )
  expect(found).toEqual([])
})
