import { type Anvil, startAnvil } from '@understudy/testkit'
import { type Address, type Hex, numberToHex } from 'viem'
import type { LiveChain } from './market.ts'

export type Receipt = {
  transactionHash: Hex
  status: Hex
  gasUsed: Hex
  logs: { address: Address; topics: Hex[]; data: Hex }[]
}
type Block = { timestamp: Hex; baseFeePerGas: Hex; transactions: Record<string, Hex>[] }

/** The receipts of the blocks after one. */
async function receiptsAfter({ rpc }: Pick<Anvil, 'rpc'>, block: number): Promise<Receipt[]> {
  const head = Number(await rpc<Hex>('eth_blockNumber'))
  const found: Receipt[] = []
  for (let number = block + 1; number <= head; number++)
    found.push(...(await rpc<Receipt[]>('eth_getBlockReceipts', [numberToHex(number)])))
  return found
}

/** What anvil says of a change: it runs every transaction after a block again, on a fork with the change. */
export async function reexecute(live: LiveChain, block: number, [address, code]: readonly [Address, Hex]) {
  const args = ['--fork-url', live.url, '--fork-block-number', String(block), '--no-mining', '--order', 'fifo']
  const own = live.mnemonic === undefined ? [] : ['--mnemonic', live.mnemonic]
  const again = await startAnvil({ args: [...args, ...own] })
  const started = performance.now()
  try {
    await again.rpc('anvil_setCode', [address, code])
    const head = Number(await live.rpc<Hex>('eth_blockNumber'))
    for (let number = block + 1; number <= head; number++) {
      const { timestamp, transactions } = await live.rpc<Block>('eth_getBlockByNumber', [numberToHex(number), true])
      for (const { from, to, input, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } of transactions) {
        const fees = { maxFeePerGas, maxPriorityFeePerGas }
        await again.rpc('eth_sendTransaction', [{ from, to, data: input, value, nonce, gas, ...fees }])
      }
      await again.rpc('evm_setNextBlockTimestamp', [timestamp])
      await again.rpc('evm_mine')
    }
    const seconds = (performance.now() - started) / 1000
    const [there, here] = [await receiptsAfter(live, block), await receiptsAfter(again, block)]
    return { transactions: there.length, seconds, differing: differing(there, here) }
  } finally {
    await again.stop()
  }
}

const textOf = ({ status, gasUsed, logs }: Receipt) =>
  JSON.stringify([status, gasUsed, logs.map(({ address, topics, data }) => [address, topics, data])])

/** The hashes of the transactions whose receipts are not the same. */
function differing(live: readonly Receipt[], again: readonly Receipt[]): Hex[] {
  const byHash = new Map(again.map((receipt) => [receipt.transactionHash, textOf(receipt)]))
  return live.filter((each) => byHash.get(each.transactionHash) !== textOf(each)).map((each) => each.transactionHash)
}
