import type { Done, Word } from '@understudy/evm'
import type { BlockObserver } from '../chain/sealing/blockObserver.ts'
import { type ConsoleLog, consoleLogsOf } from '../ethereum/abi/consoleLog.ts'
import type { Clock } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import { readableText } from '../shared/readableText.ts'

/** Maximum number of lines in a second. It is logged when others are left out. */
const linesPerSecond = 200
const lineLength = 1000

/** Logs what contracts log with `console.log`: in calls and estimates, and in transactions once they are sealed. */
export type ConsoleNotice = {
  onRun(result: Done): void
  observer: BlockObserver
}

export function createConsoleNotice({ clock, logger }: { clock: Clock; logger: Logger }): ConsoleNotice {
  let lines = 0
  let isCounting = false

  function print({ text }: ConsoleLog, transaction: Word | undefined): void {
    if (!isCounting) clock.after(1000, endSecond)
    isCounting = true
    for (const line of text.slice(0, linesPerSecond * lineLength).split('\n', linesPerSecond + 1))
      if (++lines <= linesPerSecond) logger.info(transaction ? { transaction } : {}, `console.log: ${readable(line)}`)
  }

  function endSecond(): void {
    if (lines > linesPerSecond) logger.warn({ limit: linesPerSecond }, 'Left out lines of console.log')
    lines = 0
    isCounting = false
  }

  return {
    onRun(result) {
      for (const log of consoleLogsOf(result, linesPerSecond + 1)) print(log, undefined)
    },
    observer: {
      begin() {
        const logged: { hash: Word; log: ConsoleLog }[] = []
        return {
          changed() {},
          afterTransaction({ hash, result }) {
            for (const log of consoleLogsOf(result, linesPerSecond + 1)) logged.push({ hash, log })
            return undefined
          },
          sealed: () => undefined,
          committed() {
            for (const { hash, log } of logged) print(log, hash)
          },
        }
      },
      observesEmptyBlocks: () => false,
      revertTo: async () => {},
    },
  }
}

/** Part of a line. */
const readable = (line: string) => readableText(line.length > lineLength ? `${line.slice(0, lineLength)}…` : line)
