import { describe, expect, it } from 'vitest'
import { topics } from './index.ts'

describe('the list of topics', () => {
  it('has no name twice', () => {
    expect(new Set(topics.map(({ name }) => name)).size).toBe(topics.length)
  })

  it.each(topics.map((topic) => [topic.name, topic] as const))(
    'documents %s with an example that fits it',
    (_, topic) => {
      expect(topic.summary).toMatch(/^[A-Z].*\.$/)
      expect(topic.options.safeParse(topic.example.options).error).toBeUndefined()
      expect(topic.result.safeParse(topic.example.result).error).toBeUndefined()
    },
  )

  it('takes every topic without options', () => {
    for (const { name, options } of topics) expect(options.safeParse(undefined).success, name).toBe(true)
  })
})
