import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { topics } from '../../packages/node/src/rpc/topics/index.ts'
import { slugOf } from './markdown.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const documents = execFileSync('git', ['ls-files', '--', '*.md', ':!clients'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
const textOf = (document: string) => readFileSync(join(root, document), 'utf8')
const topicNames = new Set(topics.map(({ name }) => name))
const names = new Set(methods.flatMap(({ name, aliases }) => [name, ...aliases]))

describe.each(documents)('%s', (document) => {
  const text = textOf(document)

  it('links to files and headings that exist', () => {
    const links = [...text.replace(/^```.*?^```/gms, '').matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)]
    const broken = links
      .map(([, link]) => link as string)
      .filter((link) => {
        const [path, heading] = link.split('#')
        const target = path ? join(dirname(document), path) : document
        if (!existsSync(join(root, target))) return true
        return heading !== undefined && target.endsWith('.md') && !anchorsOf(target).has(heading)
      })
    expect(broken).toEqual([])
  })

  it.skipIf(document.endsWith('methods.md'))('names methods that exist', () => {
    const named = [...text.matchAll(/\b(?:dev|mock)_[a-z][A-Za-z0-9]+/g)].map(([name]) => name)
    // A walk through a change makes a method.
    const made = new Set(Array.from(text.matchAll(/^ +name: '(\w+)',$/gm), ([, name]) => name))
    expect(named.filter((name) => !names.has(name) && !topicNames.has(name) && !made.has(name))).toEqual([])
  })
})

it('names files that there are in ARCHITECTURE.md', () => {
  const text = textOf('ARCHITECTURE.md')
  const files = readdirSync(join(root, 'packages/node/src'), { recursive: true, encoding: 'utf8' })
  // A file is named from the root, from the package of the network or its sources, or after a file of the same folder.
  const exists = (name: string) =>
    existsSync(join(root, name)) ||
    existsSync(join(root, 'packages/node', name)) ||
    files.some((file) => file === name || file.endsWith(`/${name}`))
  const named = Array.from(text.matchAll(/`(\w[\w./@-]*\.(?:ts|js|cjs|mjs))`/g), ([, name = '']) => name)
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((name) => !exists(name))).toEqual([])
})

/** What links to the headings of a document end with, as GitHub makes them. */
function anchorsOf(document: string): Set<string> {
  const found = new Set<string>()
  const text = textOf(document).replace(/^```.*?^```/gms, '')
  for (const [, heading] of text.matchAll(/^#+ (.*)$/gm)) {
    const anchor = slugOf((heading as string).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    let unique = anchor
    for (let number = 1; found.has(unique); number++) unique = `${anchor}-${number}`
    found.add(unique)
  }
  for (const [, id] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.add(id as string)
  return found
}
