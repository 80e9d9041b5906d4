import { expect, it } from 'vitest'
import { problemText } from '../problem.ts'
import { messageText, readMessages } from './messages.ts'

/** What is read of an input that arrives in pieces of some bytes, and the problem that ends it. */
async function read(input: string, size = 7) {
  const bytes = Buffer.from(input)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const messages: unknown[] = []
  async function* arriving() {
    yield* pieces
  }
  try {
    for await (const message of readMessages(arriving())) messages.push(message)
  } catch (error) {
    return { messages, problem: problemText(error) }
  }
  return { messages }
}

it('reads messages however they arrive', async () => {
  const sent = [{ seq: 1, text: 'Ünïcödé' }, [], null]
  for (const size of [1, 7, 1000])
    expect(await read(sent.map((each) => messageText(each as object)).join(''), size)).toEqual({ messages: sent })
})

it.each([
  ['hello\r\n\r\n{}', 'got "hello"'],
  ['Content-Length: 99999999999\r\n\r\n', 'got "Content-Length: 99999999999"'],
  ['Content-Length: -5\r\n\r\n{}', 'got "Content-Length: -5"'],
  ['x'.repeat(5000), 'Content-Length of at most 4194304'],
  ['Content-Length: 3\r\n\r\n{{{', 'expected JSON, got "{{{"'],
  [`Content-Length: 100000\r\n\r\n${'['.repeat(100_000)}`, 'expected JSON'],
])('says what it cannot read in %#', async (input, problem) => {
  const text = (await read(input, 10_000)).problem
  expect(text).toContain(problem)
  expect(text).toMatch(/^error: /)
  expect(text?.length).toBeLessThan(300)
})
