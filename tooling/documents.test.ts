import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { methods } from '../packages/node/src/rpc/methods/index.ts'
import { topics } from '../packages/node/src/rpc/subscriptions/topics/index.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const inFolder = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name))
const documents = ['.', 'docs', ...inFolder('packages')].flatMap((folder) =>
  inFolder(folder).filter((file) => file.endsWith('.md')),
)
const topicNames = new Set(topics.map(({ name }) => name))
const names = new Set(methods.flatMap(({ name, aliases }) => [name, ...aliases]))

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(root, document), 'utf8')

  it('links to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link as string)
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  })

  it.skipIf(document.endsWith('methods.md'))('names methods that exist', () => {
    const named = [...text.matchAll(/\b(?:dev|mock)_[a-z][A-Za-z0-9]+/g)].map(([name]) => name)
    expect(named.filter((name) => !names.has(name) && !topicNames.has(name))).toEqual([])
  })
})
