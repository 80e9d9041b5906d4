import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Word } from '@understudy/evm'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { openDatabase } from '../../storage/openDatabase.ts'
import { createStoredAnswers, keyOf } from './storedAnswers.ts'

let directory: string
let database: Database
const word = (number: number): Word => numberToHex(number, { size: 32 })
const blockOf = (number: number) => ({ number: BigInt(number), hash: word(number) })
const key = keyOf(`0x${'0c'.repeat(20)}`, '0x12345678')

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-answers-'))
  database = await openDatabase(directory)
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

const open = (isStored = true) =>
  createStoredAnswers({
    database,
    logger: createLogger('silent'),
    repairing: (work) => work(),
    isStored: () => isStored,
  })

it('keeps an answer for its block alone, as it was', async () => {
  const answers = open()
  answers.add(blockOf(5), new Map([[key, { output: Uint8Array.of(1, 2), isReverted: true }]]))
  await answers.stop()
  const found = await open().load(blockOf(5), [key, word(9)])
  expect([...found]).toEqual([[key, { output: Uint8Array.of(1, 2), isReverted: true }]])
  expect((await answers.load(blockOf(6), [key])).size).toBe(0)
  await answers.clear()
  expect((await answers.load(blockOf(5), [key])).size).toBe(0)
})

it('stores nothing where another node stores', async () => {
  const answers = open(false)
  answers.add(blockOf(5), new Map([[key, { output: Uint8Array.of(1) }]]))
  await answers.stop()
  expect((await answers.load(blockOf(5), [key])).size).toBe(0)
})

it('drops those of the oldest blocks beyond 32 MB', async () => {
  const answers = open()
  const output = new Uint8Array(4 * 1024 * 1024)
  for (let number = 1; number <= 10; number++) answers.add(blockOf(number), new Map([[key, { output }]]))
  await answers.stop()
  const kept: number[] = []
  for (let number = 1; number <= 10; number++)
    if ((await answers.load(blockOf(number), [key])).size > 0) kept.push(number)
  expect(kept).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
})
