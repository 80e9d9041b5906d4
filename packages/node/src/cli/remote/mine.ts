import { showProgress } from '../progress.ts'
import { wholeNumberFrom } from './arguments.ts'
import type { RemoteCommand } from './command.ts'

/** Blocks per request, so that progress can be shown. */
const step = 1000

export const mine: RemoteCommand = {
  usage: 'mine [blocks]',
  summary: 'seal blocks (default: one)',
  options: [
    ['--interval <SECONDS>', 'move the clock forward by so many seconds before each block'],
    [
      '--mode <MODE>',
      'seal nothing, but set the mining mode: instant, instant:SECONDS, manual, replay or interval:SECONDS',
    ],
  ],
  examples: ['understudy mine', 'understudy mine 100 --interval 12', 'understudy mine --mode manual'],
  async run(network, [blocks], { interval, mode }) {
    if (mode !== undefined) return { mode: await network.call('dev_setMiningMode', [mode]) }
    const total = wholeNumberFrom('blocks', blocks ?? '1', 1)
    const seconds = interval === undefined ? 0 : wholeNumberFrom('--interval', String(interval))
    const progress = showProgress('Sealing blocks', total)
    try {
      for (let done = 0; done < total; done += step) {
        await network.call('anvil_mine', [Math.min(step, total - done), seconds])
        progress.at(Math.min(done + step, total))
      }
    } finally {
      progress.end()
    }
    return { mined: total, head: Number(await network.call('eth_blockNumber')) }
  },
}
