import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parseAst } from 'vitest/node'

// Its other entry starts workers and looks for a JVM.
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js')

/** Regular expressions that are not checked, and why they are harmless. */
const exceptions: Record<string, string> = {
  '\\/+$': 'an option of who runs the network',
  '^\\s*\\S+(\\s+\\S+){11,23}\\s*$': 'an option of who runs the network; linear, but proving it takes half a minute',
  '`"method"\\\\s*:\\\\s*"(${names.join(\'|\')})"`': 'names of methods are constants; linear',
  "`^([\\\\w.~-]{16,200}):(${roles.join('|')})$`": 'roles are constants; what repeats is bounded',
  '`\\\\b(abstract\\\\s+contract|contract|interface|library)\\\\s+${word}\\\\b`':
    'begins with a word, and what repeats cannot hold it; `word` has letters and digits only',
  rulePattern: 'made of constants; what repeats is bounded',
}

/** What answers other machines. */
const packages = ['evm', 'node', 'client']

type Node = { type?: string; start: number; end: number; [key: string]: unknown }

/** Every regular expression of a file, by its source: of those that are made at run time, the argument. */
function expressionsOf(text: string): { source: string; flags: string | undefined }[] {
  const found: { source: string; flags: string | undefined }[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, regex, callee } = value as Node
    if (type === 'Literal' && regex) {
      const { pattern, flags } = regex as { pattern: string; flags: string }
      found.push({ source: pattern, flags })
    }
    if (
      (type === 'NewExpression' || type === 'CallExpression') &&
      (callee as Node & { name?: string }).name === 'RegExp'
    ) {
      const [argument] = (value as unknown as { arguments: Node[] }).arguments
      found.push({ source: argument ? text.slice(argument.start, argument.end) : '', flags: undefined })
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return found
}

const root = fileURLToPath(new URL('../../packages/', import.meta.url))
const all = new Map<string, { source: string; flags: string | undefined; file: string }>()
for (const folder of packages) {
  const source = join(root, folder, 'src')
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    for (const found of expressionsOf(readFileSync(join(source, file), 'utf8')))
      all.set(`/${found.source}/${found.flags}`, { ...found, file: `${folder}/src/${file}` })
  }
}

/** How a regular expression can be made slow; `undefined` when its time is in proportion to the text. */
function weaknessOf({ source, flags }: { source: string; flags: string | undefined }): string | undefined {
  if (flags === undefined) return 'is made at run time'
  // Every repetition is bounded.
  if (!/[*+]|,\}/.test(source)) return undefined
  const { status, complexity, attack } = checkSync(source, flags, { timeout: 60_000, recallTimeout: -1 })
  if (status === 'safe') return undefined
  return `${complexity?.summary ?? status}, on ${attack?.pattern ?? 'what is not known'}`
}

it('are fast on every text, in what answers other machines', { timeout: 180_000 }, () => {
  expect(all.size).toBeGreaterThan(100)
  const expressions = [...all.values()]
  const weak = expressions.flatMap((expression) => {
    const weakness = Object.hasOwn(exceptions, expression.source) ? undefined : weaknessOf(expression)
    return weakness === undefined ? [] : [{ ...expression, weakness }]
  })
  expect(weak).toEqual([])
  const sources = new Set(expressions.map(({ source }) => source))
  expect(Object.keys(exceptions).filter((source) => !sources.has(source))).toEqual([])
})

it('are found out when they are slow', () => {
  const [expression] = expressionsOf('const storagePointer = /^.*( storage|x).*$/')
  expect(expression && weaknessOf(expression)).toContain('2nd degree polynomial')
})
