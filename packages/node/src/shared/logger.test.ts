import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readableLog } from './logger.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 67)

function logged(colours: boolean, log: (logger: pino.Logger) => void): string {
  const lines: string[] = []
  const timestamp = () => `,"time":${at}`
  log(pino({ level: 'trace', base: undefined, timestamp }, { write: (line) => lines.push(readableLog(line, colours)) }))
  return lines.join('')
}

it('shows time, level and message, and a line for each field', () => {
  expect(logged(false, (logger) => logger.info({ block: '7', txs: 12, hosts: ['a', 'b'] }, 'Sealed block'))).toBe(
    [
      '[03:04:05.067] INFO: Sealed block',
      '    block: "7"',
      '    txs: 12',
      '    hosts: [',
      '      "a",',
      '      "b"',
      '    ]',
      '',
    ].join('\n'),
  )
})

it('shows an error by its stack, its causes and its other fields', () => {
  const error = Object.assign(new Error('cannot open', { cause: new TypeError('no file') }), { code: 7 })
  error.stack = 'Error: cannot open\n    at open (a.ts:1:2)'
  ;(error.cause as Error).stack = 'TypeError: no file\n    at read (b.ts:3:4)'
  expect(logged(false, (logger) => logger.error({ err: error }, 'Could not start'))).toBe(
    [
      '[03:04:05.067] ERROR: Could not start',
      '    err: Error: cannot open',
      '        at open (a.ts:1:2)',
      '    caused by: TypeError: no file',
      '        at read (b.ts:3:4)',
      '    code: 7',
      '',
    ].join('\n'),
  )
})

it.each(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)('names and colours the level %s', (level) => {
  const line = logged(true, (logger) => logger[level]({ n: 1 }, 'Began'))
  expect(line).toContain(`m${level.toUpperCase()}\u001b[0m: \u001b[36mBegan\u001b[0m\n    \u001b[35mn\u001b[0m: 1\n`)
})

it('lets nothing that others wrote move the cursor, or begin a line as a message does', () => {
  const hostile = '\u001b[2J\u009b1A\r\n[00:00:00.000] INFO: Forged\u202e'
  const error = Object.assign(new Error(hostile), { data: hostile })
  const text = logged(false, (logger) => logger.warn({ err: error, reason: hostile, [hostile]: null }, hostile))
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  const heads = text.split('\n').filter((line) => line.startsWith('['))
  expect(heads).toHaveLength(1)
})
