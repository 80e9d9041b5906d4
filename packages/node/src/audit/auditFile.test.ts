import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../shared/logger.ts'
import { verifyAuditFile } from './auditChain.ts'
import { openAuditFile } from './auditFile.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-audit-'))
  file = join(directory, 'audit.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true }))

const needs = { logger: createLogger('silent') }
const record = (method: string) => ({
  at: 0,
  key: '9f86d081',
  method,
  params: '["a\u2028b\\n"]',
  error: undefined,
})

async function write(...methods: string[]): Promise<void> {
  const opened = await openAuditFile(file, needs)
  await Promise.all(methods.map((method) => opened.append(record(method))))
  await opened.close()
}
const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)

describe('an audit file', () => {
  it('has an entry a line, for its owner alone, and goes on after a restart', async () => {
    writeFileSync(file, '', { mode: 0o644 })
    await write('one', 'two')
    await write('three')
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { n: 1, at: '1970-01-01T00:00:00.000Z', key: '9f86d081', method: 'one', params: ['a\u2028b\n'], error: null },
      { n: 2, method: 'two' },
      { n: 3, method: 'three' },
    ])
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(await verifyAuditFile(file, undefined)).toEqual({ count: 3, hash: expect.stringMatching(/^[\da-f]{64}$/) })
  })

  it('goes on after a line that was cut short', async () => {
    await write('one', 'two')
    truncateSync(file, statSync(file).size - 5)
    await expect(verifyAuditFile(file, undefined)).rejects.toMatchObject({ details: { line: 2 } })
    await write('again')
    expect(lines().map((line) => JSON.parse(line).method)).toEqual(['one', 'again'])
    expect(await verifyAuditFile(file, undefined)).toMatchObject({ count: 2 })
  })

  it.each(['hello', 'hello\n', '{"a":1}\n', '{"n":1}\n'])(
    'is not made of a file of something else: %j',
    async (text) => {
      writeFileSync(file, text)
      await expect(openAuditFile(file, needs)).rejects.toMatchObject({ kind: 'AUDIT_FILE_UNUSABLE' })
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )

  it('is not written to when another process wrote to it', async () => {
    const opened = await openAuditFile(file, needs)
    await opened.append(record('one'))
    appendFileSync(file, 'x')
    await expect(opened.append(record('two'))).rejects.toMatchObject({ kind: 'AUDIT_FILE_UNWRITABLE' })
    await expect(opened.requireWritable()).rejects.toMatchObject({ kind: 'AUDIT_FILE_UNWRITABLE' })
    truncateSync(file, statSync(file).size - 1)
    await opened.requireWritable()
    await opened.close()
    expect(await verifyAuditFile(file, undefined)).toMatchObject({ count: 2 })
  })
})

describe('what is wrong with an audit file', () => {
  const changed: [string, (all: string[]) => string[], number][] = [
    ['an entry that was changed', ([a = '', b = '', ...rest]) => [a, b.replace('two', 'twa'), ...rest], 3],
    ['an entry that was taken out', ([a = '', , ...rest]) => [a, ...rest], 2],
    ['a beginning that was taken out', ([, ...rest]) => rest, 1],
    ['an entry that was put between', ([a = '', ...rest]) => [a, a, ...rest], 2],
    ['entries in another order', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest], 2],
    ['something else', (all) => [...all, 'hello'], 5],
  ]
  it.each(changed)('is found: %s', async (_, change, line) => {
    await write('one', 'two', 'three', 'four')
    writeFileSync(file, `${change(lines()).join('\n')}\n`)
    await expect(verifyAuditFile(file, undefined)).rejects.toMatchObject({
      kind: 'AUDIT_FILE_MODIFIED',
      details: { line },
    })
  })

  it('is found by a hash that was noted: an end that was cut off', async () => {
    await write('one')
    const { hash } = await verifyAuditFile(file, undefined)
    await write('two')
    expect(await verifyAuditFile(file, hash)).toMatchObject({ count: 2 })
    writeFileSync(file, '')
    await write('other')
    await expect(verifyAuditFile(file, hash)).rejects.toMatchObject({ kind: 'AUDIT_FILE_MODIFIED' })
  })
})
