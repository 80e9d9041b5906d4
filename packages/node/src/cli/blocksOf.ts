import { type LoadBlock, newestBlocks } from '@understudy/client/forecasts'
import { createClient, fallback, http } from 'viem'
import { getBlock } from 'viem/actions'
import { NetworkError } from '../shared/errors.ts'

export type BlockRange = { from: bigint; to: bigint }

/** The blocks of a live chain. */
export function blocksAt(urls: readonly string[]): LoadBlock {
  const client = createClient({ transport: fallback(urls.map((url) => http(url))) })
  return (number) => getBlock(client, number === undefined ? { blockTag: 'latest' } : { blockNumber: number })
}

const secondsOf: Record<string, number> = { m: 60, h: 3600, d: 86_400 }

/** The blocks of `--blocks`: `A..B`, or the time before the newest block, as `1d`, `12h` or `30m`. */
export async function blocksOf(text: string, loadBlock: LoadBlock): Promise<BlockRange> {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  if (count !== '') return newestBlocks(Number(count) * (secondsOf[unit] as number), loadBlock)
  const [, first = '', last = ''] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(text) ?? []
  const [from, to] = [BigInt(first), BigInt(last)]
  if (first === '' || from < 1n || to < from)
    throw new NetworkError('INVALID_PARAMS', {
      field: '--blocks',
      problem: `expected the first and the last block, as 21000000..21000500, or the time before the newest block, as 1d, 12h or 30m; got "${text}"`,
    })
  return { from, to }
}
