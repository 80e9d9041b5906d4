import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { createLogger } from '../shared/logger.ts'
import { watchProblems } from './recentProblems.ts'

const clock = createFakeClock()

it('keeps the last problems, counts those with one message, and logs all of them', () => {
  const lines: string[] = []
  const { logger, list } = watchProblems(createLogger('info', { write: (line) => lines.push(line) }), { clock })
  logger.info('Started')
  logger.warn({ url: 'https://rpc.example', block: 7n }, 'Live chain failed')
  logger.warn({ url: 'https://rpc.example', block: 8n }, 'Live chain failed')
  logger.error({ err: new Error('out of cheese') }, 'Request failed')
  expect(list()).toMatchObject([
    { level: 'warn', message: 'Live chain failed', fields: 'url: https://rpc.example\nblock: 8', count: 2 },
    { level: 'error', message: 'Request failed', fields: expect.stringMatching(/^err: Error: out of cheese\n +at /) },
  ])
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'Started',
    'Live chain failed',
    'Live chain failed',
    'Request failed',
  ])
})

it('keeps them when nothing is logged', () => {
  const { logger, list } = watchProblems(createLogger('silent'), { clock })
  logger.fatal('Stopped')
  expect(list()).toMatchObject([{ level: 'fatal', message: 'Stopped', fields: '' }])
})

it('keeps few, and little of each', () => {
  const { logger, list } = watchProblems(createLogger('silent'), { clock })
  const circular: Record<string, unknown> = {}
  circular.self = circular
  for (let number = 0; number < 1000; number++) logger.warn({ text: 'x'.repeat(9000), circular }, `Problem ${number}`)
  expect(list().map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Problem ${980 + index}`),
  )
  expect(Math.max(...list().map(({ fields }) => fields.length))).toBe(2000)
})
