import assert from 'node:assert/strict'
import { artifacts } from '@understudy/testkit'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { Random } from '../../shared/random.ts'
import { quantity, type Rpc, type RpcBlock, type RpcReceipt } from './rpc.ts'

/** What an audit looked at. */
export type Audited = { blocks: number; transactions: number; logs: number; samples: number }

/** Blocks that are asked for in one round, at the most. */
const step = 100

/** Asks for every block after `from`: blocks hang together, receipts belong to their transactions, and the index of logs has what the receipts have. */
export async function auditBlocks(rpc: Rpc, from: bigint): Promise<Omit<Audited, 'samples'>> {
  const head = BigInt(await rpc<Hex>('eth_blockNumber'))
  const audited = { blocks: 0, transactions: 0, logs: 0 }
  let parent = await rpc<RpcBlock>('eth_getBlockByNumber', quantity(from), false)
  for (let number = from + 1n; number <= head; number += BigInt(step)) {
    const last = number + BigInt(step - 1) < head ? number + BigInt(step - 1) : head
    const numbers = Array.from({ length: Number(last - number) + 1 }, (_, index) => quantity(number + BigInt(index)))
    const blocks = await Promise.all(numbers.map((it) => rpc<RpcBlock>('eth_getBlockByNumber', it, false)))
    const receipts = (await Promise.all(numbers.map((it) => rpc<RpcReceipt[]>('eth_getBlockReceipts', it)))).flat()
    const logs = await rpc('eth_getLogs', { fromBlock: quantity(number), toBlock: quantity(last) })
    for (const [index, block] of blocks.entries()) {
      assert.equal(block?.number, numbers[index], 'a block is missing')
      assert.equal(block.parentHash, parent.hash, `block ${Number(block.number)} does not stand on the one before`)
      parent = block
    }
    const hashes = blocks.flatMap((block) => block.transactions)
    assert.deepEqual(
      hashes,
      receipts.map((it) => it.transactionHash),
      'receipts are not those of the blocks',
    )
    assert.deepEqual(
      logs,
      receipts.flatMap((it) => it.logs),
      'eth_getLogs disagrees with the receipts',
    )
    audited.blocks += blocks.length
    audited.transactions += hashes.length
    audited.logs += receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0)
  }
  return audited
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

/** The history of every tracked item has an entry wherever it must have one, and its values are the state at their blocks. Answers how many were compared. */
export async function auditSamples(rpc: Rpc, random: Random): Promise<number> {
  let compared = 0
  for (const item of await rpc<Item[]>('dev_getTrackedData')) {
    // First: while the values are asked for, another block may be sealed.
    const head = Number(await rpc('eth_blockNumber'))
    const { values } = await rpc<{ values: Sample[] }>('dev_getTrackedDataValues', item.id)
    const [first] = values
    if (!first) continue
    const blocks = values.map(({ blockNumber }) => blockNumber)
    if (item.recordTrigger === 'every-n-blocks') {
      const frequency = item.trackingFrequency ?? 1
      const length = Math.floor((head - first.blockNumber) / frequency) + 1
      const due = Array.from({ length }, (_, index) => first.blockNumber + index * frequency)
      assert.deepEqual(blocks.slice(0, length), due, `${item.id} was not recorded every ${frequency} blocks`)
    } else {
      const isOfBlock = BigInt(first.txHash) === 0n
      const sealed = await transactionsOf(rpc, first.blockNumber + (isOfBlock ? 1 : 0), head)
      const recorded = values.slice(isOfBlock ? 1 : 0).map(({ txHash }) => txHash)
      assert.deepEqual(recorded.slice(0, sealed.length), sealed, `${item.id} misses a transaction`)
    }
    for (let count = 0; count < Math.min(samplesCompared, values.length); count++) {
      const { value, blockNumber } = random.pick(values)
      assert.equal(value, await evaluate(rpc, item, quantity(blockNumber)), `${item.id} at block ${blockNumber}`)
      compared++
    }
  }
  return compared
}

async function transactionsOf(rpc: Rpc, from: number, to: number): Promise<Hex[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => quantity(from + index))
  const blocks = await Promise.all(numbers.map((it) => rpc<RpcBlock>('eth_getBlockByNumber', it, false)))
  return blocks.flatMap((block) => block.transactions)
}

/** What the item is at a block, by the methods that everybody uses. */
async function evaluate(rpc: Rpc, { type, address, functionArgs }: Item, block: Hex): Promise<string> {
  if (type === 'native-token-balance') return BigInt(await rpc<Hex>('eth_getBalance', address, block)).toString()
  const call = { abi: artifacts.PlainToken.abi, functionName: 'balanceOf' } as const
  const [holder] = JSON.parse(functionArgs ?? '[]') as [Address]
  const data = await rpc<Hex>('eth_call', { to: address, data: encodeFunctionData({ ...call, args: [holder] }) }, block)
  return decodeFunctionResult({ ...call, data }).toString()
}
