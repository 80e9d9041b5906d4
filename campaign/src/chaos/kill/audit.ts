import assert from 'node:assert/strict'
import type { Random } from '@understudy/testkit'
import { artifacts } from '@understudy/testkit'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { quantity, type Rpc, type RpcBlock, type RpcReceipt } from './rpc.ts'

/** Maximum number of blocks in one round. */
const step = 100

/** The blocks of the network; each is checked once. */
export class BlockAudit {
  readonly figures = { blocks: 0, transactions: 0, logs: 0 }
  readonly #transactions = new Map<number, Hex[]>()
  #parent: RpcBlock | undefined

  /** The newest checked block. */
  get head(): number {
    return Number(this.#parent?.number ?? 0)
  }

  /** The transactions of the blocks from `first` on. */
  transactionsFrom(first: number): Hex[] {
    return [...this.#transactions].flatMap(([number, hashes]) => (number >= first ? hashes : []))
  }

  /**
   * Asks for every block after those of the last time: blocks hang together, receipts belong to their transactions, and the
   * index of logs has what the receipts have. The blocks of the last time must still be there.
   */
  async run(rpc: Rpc): Promise<void> {
    const head = Number(await rpc<Hex>('eth_blockNumber'))
    if (!this.#parent) {
      const { origin } = await rpc<{ origin: { number: number } }>('dev_getNetworkInfo')
      this.#parent = await rpc<RpcBlock>('eth_getBlockByNumber', quantity(origin.number), false)
    }
    for (let first = this.head + 1; first <= head; first += step) {
      const numbers = Array.from({ length: Math.min(step, head - first + 1) }, (_, index) => first + index)
      const ask = <T>(method: string, ...more: unknown[]) =>
        Promise.all(numbers.map((number) => rpc<T>(method, quantity(number), ...more)))
      const blocks = await ask<RpcBlock>('eth_getBlockByNumber', false)
      const receipts = (await ask<RpcReceipt[]>('eth_getBlockReceipts')).flat()
      const range = { fromBlock: quantity(first), toBlock: quantity(numbers.at(-1) as number) }
      const logs = receipts.flatMap((receipt) => receipt.logs)
      assert.deepEqual(await rpc('eth_getLogs', range), logs, 'eth_getLogs disagrees with the receipts')
      for (const [index, block] of blocks.entries()) this.#take(numbers[index] as number, block)
      const hashes = this.transactionsFrom(first)
      assert.deepEqual(
        receipts.map((receipt) => receipt.transactionHash),
        hashes,
        'receipts are not those of the blocks',
      )
      this.figures.blocks += blocks.length
      this.figures.transactions += hashes.length
      this.figures.logs += logs.length
    }
  }

  #take(number: number, block: RpcBlock): void {
    assert.equal(Number(block?.number), number, 'a block is missing')
    assert.equal(block.parentHash, this.#parent?.hash, `block ${number} does not stand on the one before`)
    this.#transactions.set(number, block.transactions)
    this.#parent = block
  }
}

type Item = {
  id: string
  type: string
  address: Address
  functionArgs?: string
  recordTrigger: string
  trackingFrequency?: number
}
type Sample = { value: string; blockNumber: number; txHash: Hex }

/** Entries of each item that are compared with the state at their block. */
const samplesCompared = 3

/**
 * The history of every tracked item has an entry wherever it must have one, up to the last block of the audit, and its values are
 * the state at their blocks. Answers how many were compared.
 */
export async function auditSamples(rpc: Rpc, audit: BlockAudit, random: Random): Promise<number> {
  let compared = 0
  for (const item of await rpc<Item[]>('dev_getTrackedData')) {
    const { values } = await rpc<{ values: Sample[] }>('dev_getTrackedDataValues', item.id)
    const [first] = values
    if (!first) continue
    if (item.recordTrigger === 'every-n-blocks') requireEveryBlock(item, values, first, audit)
    else requireEveryTransaction(item, values, first, audit)
    for (let count = 0; count < Math.min(samplesCompared, values.length); count++) {
      const { value, blockNumber } = random.pick(values)
      assert.equal(value, await evaluate(rpc, item, quantity(blockNumber)), `${item.id} at block ${blockNumber}`)
      compared++
    }
  }
  return compared
}

function requireEveryBlock({ id, trackingFrequency = 1 }: Item, values: Sample[], first: Sample, audit: BlockAudit) {
  const length = Math.max(0, Math.floor((audit.head - first.blockNumber) / trackingFrequency) + 1)
  const due = Array.from({ length }, (_, index) => first.blockNumber + index * trackingFrequency)
  const recorded = values.slice(0, length).map(({ blockNumber }) => blockNumber)
  assert.deepEqual(recorded, due, `${id} was not recorded every ${trackingFrequency} blocks`)
}

function requireEveryTransaction({ id }: Item, values: Sample[], first: Sample, audit: BlockAudit) {
  const isOfBlock = BigInt(first.txHash) === 0n
  const sealed = audit.transactionsFrom(first.blockNumber + (isOfBlock ? 1 : 0))
  const recorded = values.slice(isOfBlock ? 1 : 0, sealed.length + (isOfBlock ? 1 : 0)).map(({ txHash }) => txHash)
  assert.deepEqual(recorded, sealed, `${id} misses a transaction`)
}

/** The value of the item at a block, by standard methods. */
async function evaluate(rpc: Rpc, { type, address, functionArgs }: Item, block: Hex): Promise<string> {
  if (type === 'native-token-balance') return BigInt(await rpc<Hex>('eth_getBalance', address, block)).toString()
  const call = { abi: artifacts.PlainToken.abi, functionName: 'balanceOf' } as const
  const [holder] = JSON.parse(functionArgs ?? '[]') as [Address]
  const data = await rpc<Hex>('eth_call', { to: address, data: encodeFunctionData({ ...call, args: [holder] }) }, block)
  return decodeFunctionResult({ ...call, data }).toString()
}
