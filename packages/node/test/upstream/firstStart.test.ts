import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually } from '../startNetwork.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({})
})
afterAll(() => anvil.stop())

/** Milliseconds after the file of the network is there: while its tables are made, and a while after. */
const moments = [0, 8, 20, 60]

it('is taken up by the next one, whenever a first start was killed', { timeout: 90_000 }, async () => {
  const killed = async (afterMs: number) => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-first-'))
    const start = () => runCommand(['start', '--port', '0', '--fork-url', anvil.url, '--data-dir', 'data'], directory)
    try {
      const first = start()
      await eventually(async () => existsSync(join(directory, 'data/network.sqlite-wal')), Boolean)
      await setTimeout(afterMs)
      first.child.kill('SIGKILL')
      await first.ended
      const second = start()
      const url = await second.listening
      second.child.kill('SIGTERM')
      await second.ended
      return url
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  for (const moment of moments) expect(await killed(moment)).toMatch(/^http/)
})
