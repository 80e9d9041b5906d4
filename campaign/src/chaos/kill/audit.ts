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
  transactionsFrom(first: number): Entry[] {
    return [...this.#transactions].flatMap(([block, hashes]) =>
      block < first ? [] : hashes.map((key) => ({ key, block })),
    )
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
      const hashes = this.transactionsFrom(first).map(({ key }) => key)
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

/** An entry of a history: its transaction or its block. */
type Entry = { key: Hex | number; block: number }

/** Values that the processes of a network said they could not record, because the machine or the live chain was too slow. */
export class Unrecorded {
  readonly #blocks = new Map<string, number[]>()
  /** Number of entries that are missing for that. */
  excused = 0

  /** Takes it from what a process has logged. */
  learn(stderr: string): void {
    for (const line of stderr.split('\n')) {
      if (!line.includes('Could not record a value of tracked items')) continue
      const { block, items } = JSON.parse(line) as { block: number; items: string[] }
      for (const id of items) this.#blocks.set(id, [...(this.#blocks.get(id) ?? []), block])
    }
  }

  /** Whether an entry may be missing: a gap is logged where it begins. `before` and `after` are the blocks recorded around it. */
  excuses(id: string, before: number, after: number): boolean {
    return this.#blocks.get(id)?.some((block) => block >= before && block <= after) ?? false
  }
}

/** Entries of each item that are compared with the state at their block. */
const samplesCompared = 3

/**
 * The history of every tracked item has an entry wherever it must have one, up to the last block of the audit, but for those
 * that the network said it could not record, and its values are the state at their blocks. Answers how many were compared.
 */
export async function auditSamples(
  rpc: Rpc,
  audit: BlockAudit,
  unrecorded: Unrecorded,
  random: Random,
): Promise<number> {
  let compared = 0
  unrecorded.excused = 0
  for (const item of await rpc<Item[]>('dev_getTrackedData')) {
    const { values } = await rpc<{ values: Sample[] }>('dev_getTrackedDataValues', item.id)
    const [first] = values
    if (!first) continue
    requireEntries(item, values, first, audit, unrecorded)
    for (let count = 0; count < Math.min(samplesCompared, values.length); count++) {
      const { value, blockNumber } = random.pick(values)
      assert.equal(value, await evaluate(rpc, item, quantity(blockNumber)), `${item.id} at block ${blockNumber}`)
      compared++
    }
  }
  return compared
}

function requireEntries(
  { id, recordTrigger, trackingFrequency = 1 }: Item,
  values: Sample[],
  first: Sample,
  audit: BlockAudit,
  unrecorded: Unrecorded,
) {
  const byBlock = recordTrigger === 'every-n-blocks'
  const due = byBlock ? blocksFrom(first.blockNumber, trackingFrequency, audit.head) : transactionsSince(first, audit)
  const recorded = values
    .filter(({ blockNumber, txHash }) => blockNumber <= audit.head && (byBlock || BigInt(txHash) !== 0n))
    .map(({ blockNumber, txHash }) => ({ key: byBlock ? blockNumber : txHash, block: blockNumber }))
  const keys = new Set(recorded.map(({ key }) => key))
  const blocks = values.map(({ blockNumber }) => blockNumber)
  const isExcused = ({ block }: Entry) =>
    unrecorded.excuses(
      id,
      blocks.findLast((it) => it <= block) ?? first.blockNumber,
      blocks.find((it) => it >= block) ?? Number.POSITIVE_INFINITY,
    )
  const missing = due.filter((entry) => !keys.has(entry.key))
  const silent = missing.filter((entry) => !isExcused(entry))
  assert.deepEqual(silent, [], `${id} misses entries, and nothing was logged`)
  assert.deepEqual(
    recorded,
    due.filter(({ key }) => keys.has(key)),
    `${id} has entries that it should not have`,
  )
  unrecorded.excused += missing.length
}

const blocksFrom = (first: number, frequency: number, head: number): Entry[] =>
  Array.from({ length: Math.max(0, Math.floor((head - first) / frequency) + 1) }, (_, index) => {
    const block = first + index * frequency
    return { key: block, block }
  })

/** An item begins with the end of a block or with a transaction, which is the first or a later one of its block. */
function transactionsSince({ blockNumber, txHash }: Sample, audit: BlockAudit): Entry[] {
  if (BigInt(txHash) === 0n) return audit.transactionsFrom(blockNumber + 1)
  const sealed = audit.transactionsFrom(blockNumber)
  return sealed.slice(
    Math.max(
      0,
      sealed.findIndex(({ key }) => key === txHash),
    ),
  )
}

/** The value of the item at a block, by standard methods. */
async function evaluate(rpc: Rpc, { type, address, functionArgs }: Item, block: Hex): Promise<string> {
  if (type === 'native-token-balance') return BigInt(await rpc<Hex>('eth_getBalance', address, block)).toString()
  const call = { abi: artifacts.PlainToken.abi, functionName: 'balanceOf' } as const
  const [holder] = JSON.parse(functionArgs ?? '[]') as [Address]
  const data = await rpc<Hex>('eth_call', { to: address, data: encodeFunctionData({ ...call, args: [holder] }) }, block)
  return decodeFunctionResult({ ...call, data }).toString()
}
