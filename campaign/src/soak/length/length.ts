import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postJsonRpc } from '@understudy/testkit'
import type { Hex } from 'viem'
import type { Figures } from '../../shared/figures.ts'
import { defineScenario } from '../../shared/scenario.ts'
import { startLiveChain } from './liveChain.ts'
import { advanceAll, sendAll } from './load.ts'
import { type Started, startTimed } from './restart.ts'
import { createSamples, requireFlat } from './samples.ts'
import { createSigner, keyOf } from './signer.ts'
import { countRows } from './tables.ts'

const senders = 64
/** The limit of the final start; on a slow machine, twice the start of an empty network. */
const startMs = 2000

/** A long run with transactions and live heads at the same time. Shows whether memory grows. */
export const length = defineScenario({
  name: 'soak length',
  summary: 'Many transactions and head advances: memory stays flat, files grow evenly, and it starts again as fast.',
  options: {
    transactions: 1_000_000,
    heads: 100_000,
    minutes: 0,
    sampleSeconds: 30,
    keepBlocks: 0,
    directory: tmpdir(),
  },
  async run({ seed, random, options, figures, print }) {
    const chain = await startLiveChain()
    const directory = mkdtempSync(join(options.directory, 'understudy-soak-'))
    const args = ['--fork-url', chain.url, '--log-level', 'error', '--poll-interval', '100']
    if (options.keepBlocks > 0) args.push('--keep-blocks', String(options.keepBlocks))
    let running: Started | undefined
    const start = async (name: string, dataDirectory = directory) => {
      running = await startTimed([...args, '--data-dir', dataDirectory])
      const { answeredMs, listeningMs, network } = running
      figures.set(`${name}, ms`, `${answeredMs.toFixed(0)}, listening after ${listeningMs.toFixed(0)}`)
      return { answeredMs, network }
    }
    try {
      const first = await start('first start')
      const { url } = first.network
      const chainId = Number(await postJsonRpc<Hex>(url, 'eth_chainId', []))
      const signers = Array.from({ length: senders }, (_, index) =>
        createSigner(keyOf(seed * senders + index + 1), chainId),
      )
      for (const item of chain.market.tracked) await postJsonRpc(url, 'dev_addTrackedData', [item])
      for (const signer of signers) {
        const approval = await chain.market.join(url, signer)
        await postJsonRpc(url, 'eth_sendRawTransaction', [approval])
      }

      const headBefore = await headOf(url)
      const counts = { transactions: 0, heads: 0 }
      const { samples, during } = createSamples({ url, directory }, counts, print)
      const end = options.minutes > 0 ? Date.now() + options.minutes * 60_000 : Number.POSITIVE_INFINITY
      const isTimeUp = () => Date.now() > end
      const sending = sendAll(url, options.transactions, {
        senders: signers,
        next: (signer) => chain.market.next(signer, random),
        onSealed(sealed) {
          counts.transactions += sealed
        },
        isTimeUp,
      })
      const advancing = advanceAll(url, options.heads, {
        mine: chain.mine,
        onFollowed() {
          counts.heads++
        },
        isTimeUp,
      })
      await during(Promise.all([sending, advancing]), options.sampleSeconds)
      const blocks = (await headOf(url)) - headBefore
      noteCounts(figures, { ...counts, blocks, seconds: samples.at(-1)?.seconds ?? 0 })

      await first.network.end('SIGKILL')
      const afterKill = await start('start after SIGKILL')
      await afterKill.network.end()
      const afterStop = await start('start after SIGTERM')
      await afterStop.network.end()
      const empty = await start('start of an empty network', join(directory, 'empty'))
      await empty.network.end()
      figures.set('bytes a block', (statSync(join(directory, 'network.sqlite')).size / blocks).toFixed(0))
      for (const [table, rows] of countRows(directory)) if (rows > 0) figures.set(`rows of ${table}`, rows)

      requireFlat(samples, 'resident', 64e6)
      requireFlat(samples, 'heap', 48e6)
      const slowest = Math.max(afterKill.answeredMs, afterStop.answeredMs)
      if (slowest > Math.max(startMs, 2 * empty.answeredMs))
        throw new Error(`it took ${slowest.toFixed(0)} ms to start again`)
    } finally {
      running?.network.process.kill('SIGKILL')
      await chain.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})

const headOf = async (url: string) => Number(await postJsonRpc<Hex>(url, 'eth_blockNumber', []))

/** Throws unless there is one block for each transaction and one for each head. */
function noteCounts(
  figures: Figures,
  { transactions, heads, blocks, seconds }: { transactions: number; heads: number; blocks: number; seconds: number },
): void {
  figures.set('transactions', `${transactions}, ${(transactions / seconds).toFixed(0)} a second`)
  figures.set('heads', `${heads}, ${(heads / seconds).toFixed(1)} a second`)
  figures.set('blocks', blocks)
  if (blocks !== transactions + heads)
    throw new Error(`${transactions} transactions and ${heads} heads made ${blocks} blocks`)
}
