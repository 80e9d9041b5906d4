import type { Done } from '@understudy/evm'
import { createFakeClock } from '@understudy/testkit'
import { pino } from 'pino'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { bytesFromHex } from '../shared/hex.ts'
import { createConsoleNotice } from './consoleNotice.ts'

const from = `0x${'aa'.repeat(20)}` as const

/** A run that logs these texts. */
function runThatLogs(...texts: string[]): Done {
  const abi = parseAbi(['function log(string)'])
  const calls = texts.map((text) => ({ from, input: bytesFromHex(encodeFunctionData({ abi, args: [text] })) }))
  return { consoleCalls: (limit: number) => calls.slice(0, limit) } as Done
}

function open() {
  const written: { msg: string; limit?: number }[] = []
  const logger = pino({}, { write: (line) => written.push(JSON.parse(line)) })
  const clock = createFakeClock(0)
  const notice = createConsoleNotice({ clock, logger })
  const lines = () => written.splice(0)
  return { notice, clock, lines }
}

describe('console.log of contracts', () => {
  it('is logged line by line, a long line cut', () => {
    const { notice, lines } = open()
    notice.onRun(runThatLogs('one\ntwo', 'x'.repeat(1001)))
    expect(lines().map(({ msg }) => msg)).toEqual([
      'console.log: one',
      'console.log: two',
      `console.log: ${'x'.repeat(1000)}…`,
    ])
  })

  it('is at most 200 lines a second, and says what it left out', () => {
    const { notice, clock, lines } = open()
    notice.onRun(runThatLogs(...Array.from({ length: 300 }, (_, index) => `${index}`)))
    notice.onRun(runThatLogs('more'))
    expect(lines()).toHaveLength(200)
    clock.advance(1000)
    expect(lines()).toMatchObject([{ msg: 'Left out lines of console.log', limit: 200 }])
    notice.onRun(runThatLogs('again'))
    expect(lines().map(({ msg }) => msg)).toEqual(['console.log: again'])
  })
})
