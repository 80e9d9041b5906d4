import { expect, it } from 'vitest'
import { JsonMessages } from './jsonMessages.ts'

function messagesOf(chunks: readonly string[], limit = 1000): string[] {
  const messages = new JsonMessages(limit)
  const found: string[] = []
  for (const chunk of chunks) {
    messages.push(Buffer.from(chunk))
    for (let next = messages.next(); next; next = messages.next()) found.push(next.toString())
  }
  return found
}

const sent = ['{"a":"}{\\"[\\\\"}', '[{"b":[1,2,{}]},[]]', '{}', '{"é":"]"}']

it.each(['', '\n', ' \r\n\t'])('finds messages with %j between them, however they are cut', (space) => {
  const text = sent.join(space) + space
  expect(messagesOf([text])).toEqual(sent)
  const bytes = Buffer.from(text)
  for (let at = 0; at <= bytes.length; at++) {
    const messages = new JsonMessages(1000)
    const found: string[] = []
    for (const chunk of [bytes.subarray(0, at), bytes.subarray(at)]) {
      messages.push(chunk)
      for (let next = messages.next(); next; next = messages.next()) found.push(next.toString())
    }
    expect(found).toEqual(sent)
  }
  expect(messagesOf([...text])).toHaveLength(sent.length)
})

it.each(['x', '1', '"{}"', '}', '{}]', 'null{}'])('refuses %s', (text) => {
  expect(() => messagesOf([text])).toThrow('begins with something else')
})

it('refuses a message that is longer than the limit before it is complete', () => {
  expect(messagesOf([`["${'a'.repeat(16)}"]`], 20)).toHaveLength(1)
  expect(() => messagesOf(['["', 'a'.repeat(19)], 20)).toThrow('a message has more than 20 bytes')
})
