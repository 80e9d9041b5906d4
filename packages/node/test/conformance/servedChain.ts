import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Block } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { getMerkleStateProof, MerkleStateManager } from '@ethereumjs/statemanager'
import { Capability } from '@ethereumjs/tx'
import {
  bytesToHex,
  createAccount,
  createAddressFromString,
  hexToBytes,
  type KZG,
  type PrefixedHexString,
  setLengthLeft,
} from '@ethereumjs/util'
import type { TxReceipt, VMOpts } from '@ethereumjs/vm'
import { type Hex, numberToHex } from 'viem'

/** A chain of blocks, with the states and receipts that ethereumjs makes of them. It answers JSON-RPC. */
export type ServedChain = { url: string; stop(): Promise<void> }

/** A block that was run: the root of the state after it, its receipts, and the contracts that its transactions created. */
export type Sealed = { block: Block; hash: Hex; root: Uint8Array; receipts: TxReceipt[]; created: (Hex | undefined)[] }

type Raw = Record<string, unknown>

/** Blob transactions are made only with one; blocks hold no blobs, so it has nothing to do. */
export const kzg = {} as KZG

export const hexOf = (bytes: Uint8Array) => bytesToHex(bytes) as Hex
const wordBytes = (word: string) => setLengthLeft(hexToBytes(evenHex(word)), 32)
const evenHex = (text: string): PrefixedHexString =>
  text.length % 2 === 0 ? (text as PrefixedHexString) : `0x0${text.slice(2)}`

/** The state that the `alloc` of a genesis file describes. */
export async function stateOf(common: Common, alloc: Record<string, Raw>): Promise<MerkleStateManager> {
  const stateManager = new MerkleStateManager({ common })
  await stateManager.checkpoint()
  for (const [key, { balance = '0x0', nonce = '0x0', code, storage = {} }] of Object.entries(alloc)) {
    const address = createAddressFromString(`0x${key.replace('0x', '')}`)
    await stateManager.putAccount(
      address,
      createAccount({ balance: BigInt(String(balance)), nonce: BigInt(String(nonce)) }),
    )
    if (code) await stateManager.putCode(address, hexToBytes(code as PrefixedHexString))
    for (const [slot, value] of Object.entries(storage as Record<string, string>))
      await stateManager.putStorage(address, wordBytes(slot), hexToBytes(evenHex(value)))
  }
  await stateManager.commit()
  await stateManager.flush()
  return stateManager
}

/** What a virtual machine needs of a blockchain: blocks by number, of which more may come. */
export function historyOf(blocks: readonly Sealed[]): VMOpts['blockchain'] {
  const history = {
    getBlock: async (id: bigint) => blocks[Number(id)]?.block as Block,
    putBlock: async () => {},
    shallowCopy: () => history,
  }
  return history as never
}

class UnknownBlockError extends Error {}

/** Serves blocks, from the genesis on, on a free port. */
export async function serveChain(
  blocks: readonly Sealed[],
  stateManager: MerkleStateManager,
  chainId: bigint,
): Promise<ServedChain> {
  const methods = answersOf(blocks, stateManager, chainId)
  const answer = async ({ id, method, params = [] }: { id: unknown; method: string; params?: unknown[] }) => {
    const known = methods[method]
    if (!known) return { jsonrpc: '2.0', id, error: { code: -32601, message: `the method ${method} does not exist` } }
    try {
      return { jsonrpc: '2.0', id, result: (await known(...params)) ?? null }
    } catch (error) {
      if (!(error instanceof UnknownBlockError)) throw error
      return { jsonrpc: '2.0', id, error: { code: -32000, message: 'header not found' } }
    }
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    // A WebSocket that it does not offer.
    if (body === '') return void response.writeHead(405).end()
    const asked = JSON.parse(body)
    const answered = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The methods of the chain. State is read where a block ended. */
function answersOf(
  blocks: readonly Sealed[],
  latest: MerkleStateManager,
  chainId: bigint,
): Record<string, (...params: never[]) => unknown> {
  const head = blocks.length - 1
  const tags: Record<string, number> = { earliest: 0, latest: head, pending: head, safe: head, finalized: head }
  const find = (tag: string | { blockHash?: Hex; blockNumber?: Hex }): Sealed | undefined => {
    const id = typeof tag === 'string' ? tag : (tag.blockHash ?? tag.blockNumber ?? 'latest')
    return id.length === 66 ? blocks.find(({ hash }) => hash === id) : blocks[tags[id] ?? Number(id)]
  }
  const stateAt = async (tag: string) => {
    const state = latest.shallowCopy() as MerkleStateManager
    const found = find(tag)
    if (!found) throw new UnknownBlockError()
    await state.setStateRoot(found.root)
    return state
  }
  const transactions = blocks.flatMap((sealed) => transactionsOf(sealed))
  const receipts = blocks.flatMap((sealed) => receiptsOf(sealed))
  const block = (tag: string, isFull: boolean) => {
    const found = find(tag)
    return found && blockFrom(found, isFull)
  }
  const at = createAddressFromString
  return {
    eth_chainId: () => numberToHex(chainId),
    net_version: () => String(chainId),
    eth_blockNumber: () => numberToHex(head),
    eth_getBlockByNumber: block,
    eth_getBlockByHash: block,
    eth_getUncleByBlockHashAndIndex(tag: string, index: Hex) {
      const uncle = find(tag)?.block.uncleHeaders[Number(index)]
      return uncle && headerFrom(uncle)
    },
    eth_getTransactionByHash: (hash: Hex) => transactions.find((transaction) => transaction.hash === hash),
    eth_getTransactionReceipt: (hash: Hex) => receipts.find(({ transactionHash }) => transactionHash === hash),
    eth_getBlockReceipts(tag: string) {
      const found = find(tag)
      return found && receiptsOf(found)
    },
    eth_getLogs({ fromBlock = 'latest', toBlock = 'latest', blockHash, address, topics = [] }: LogQuery) {
      const [from, to] = (blockHash ? [blockHash, blockHash] : [fromBlock, toBlock]).map((tag) =>
        blocks.indexOf(find(tag) as Sealed),
      ) as [number, number]
      const asked = [address ?? []].flat().map((each) => each.toLowerCase())
      return receipts
        .flatMap(({ logs }) => logs as Log[])
        .filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
        .filter((log) => asked.length === 0 || asked.includes(log.address))
        .filter((log) => topics.every((topic, index) => !topic || [topic].flat().includes(log.topics[index] as Hex)))
    },
    eth_getBalance: async (address: Hex, tag: string) =>
      numberToHex((await (await stateAt(tag)).getAccount(at(address)))?.balance ?? 0n),
    eth_getTransactionCount: async (address: Hex, tag: string) =>
      numberToHex((await (await stateAt(tag)).getAccount(at(address)))?.nonce ?? 0n),
    eth_getCode: async (address: Hex, tag: string) => hexOf(await (await stateAt(tag)).getCode(at(address))),
    eth_getStorageAt: async (address: Hex, slot: string, tag: string) =>
      hexOf(setLengthLeft(await (await stateAt(tag)).getStorage(at(address), wordBytes(slot)), 32)),
    eth_getProof: async (address: Hex, slots: string[], tag: string) =>
      getMerkleStateProof(await stateAt(tag), at(address), slots.map(wordBytes)),
  }
}

type Log = { address: Hex; topics: Hex[]; blockNumber: Hex }
type LogQuery = {
  fromBlock?: string
  toBlock?: string
  blockHash?: Hex
  address?: Hex | Hex[]
  topics?: (Hex | Hex[] | null)[]
}

/** The position of the transaction at an index of a block, as its JSON, its receipt and its logs have it. */
const positionOf = ({ block, hash }: Sealed, index: number) => ({
  blockHash: hash,
  blockNumber: numberToHex(block.header.number),
  transactionIndex: numberToHex(index),
})

function priceOf({ block }: Sealed, index: number): bigint {
  const transaction = block.transactions[index] as unknown as {
    gasPrice?: bigint
    maxFeePerGas: bigint
    maxPriorityFeePerGas: bigint
  }
  if (transaction.gasPrice !== undefined) return transaction.gasPrice
  const baseFee = block.header.baseFeePerGas ?? 0n
  const tip = transaction.maxFeePerGas - baseFee
  return baseFee + (tip < transaction.maxPriorityFeePerGas ? tip : transaction.maxPriorityFeePerGas)
}

function transactionsOf(sealed: Sealed): Raw[] {
  return sealed.block.transactions.map((transaction, index) => {
    const { gasLimit, data, to, chainId, authorizationList, ...fields } = transaction.toJSON() as Raw
    const isReplayable = transaction.type === 0 && !transaction.supports(Capability.EIP155ReplayProtection)
    return {
      ...fields,
      ...(!isReplayable && { chainId }),
      ...(authorizationList !== undefined && { authorizationList: (authorizationList as Raw[]).map(quantities) }),
      blockTimestamp: numberToHex(sealed.block.header.timestamp),
      ...positionOf(sealed, index),
      hash: hexOf(transaction.hash()),
      from: transaction.getSenderAddress().toString(),
      to: to ?? null,
      gas: gasLimit,
      gasPrice: numberToHex(priceOf(sealed, index)),
      input: data,
      ...(transaction.type > 0 && { yParity: fields.v }),
    }
  })
}

/** The numbers of an authorization without leading zeros. */
const quantities = ({ address, ...numbers }: Raw): Raw => ({
  address,
  ...Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, numberToHex(BigInt(value === '0x' ? 0 : String(value)))]),
  ),
})

function receiptsOf(sealed: Sealed): Raw[] {
  let logsBefore = 0
  let gasBefore = 0n
  return sealed.receipts.map((receipt, index) => {
    const transaction = sealed.block.transactions[index] as Sealed['block']['transactions'][number]
    const position = { ...positionOf(sealed, index), transactionHash: hexOf(transaction.hash()) }
    const gasUsed = receipt.cumulativeBlockGasUsed - gasBefore
    gasBefore = receipt.cumulativeBlockGasUsed
    const logs = receipt.logs.map(([address, topics, data]) => ({
      ...position,
      address: hexOf(address),
      topics: topics.map(hexOf),
      data: hexOf(data),
      logIndex: numberToHex(logsBefore++),
      blockTimestamp: numberToHex(sealed.block.header.timestamp),
      removed: false,
    }))
    return {
      ...position,
      from: transaction.getSenderAddress().toString(),
      to: transaction.to?.toString() ?? null,
      contractAddress: transaction.to ? null : (sealed.created[index] ?? null),
      cumulativeGasUsed: numberToHex(receipt.cumulativeBlockGasUsed),
      gasUsed: numberToHex(gasUsed),
      effectiveGasPrice: numberToHex(priceOf(sealed, index)),
      logs,
      logsBloom: hexOf(receipt.bitvector),
      type: numberToHex(transaction.type),
      ...('status' in receipt ? { status: numberToHex(receipt.status) } : { root: hexOf(receipt.stateRoot) }),
      ...('blobGasUsed' in receipt && {
        blobGasUsed: numberToHex(receipt.blobGasUsed),
        blobGasPrice: numberToHex(receipt.blobGasPrice),
      }),
    }
  })
}

function blockFrom(sealed: Sealed, isFull: boolean): Raw {
  const { block } = sealed
  const transactions = transactionsOf(sealed)
  return {
    ...headerFrom(block.header),
    size: numberToHex(block.serialize().length),
    uncles: block.uncleHeaders.map((uncle) => hexOf(uncle.hash())),
    transactions: isFull ? transactions : transactions.map((transaction) => transaction.hash),
    ...(block.withdrawals && { withdrawals: block.withdrawals.map((withdrawal) => withdrawal.toJSON()) }),
  }
}

function headerFrom(header: Block['header']): Raw {
  const { uncleHash, coinbase, transactionsTrie, receiptTrie, ...rest } = header.toJSON() as Raw
  return {
    ...rest,
    hash: hexOf(header.hash()),
    sha3Uncles: uncleHash,
    miner: coinbase,
    transactionsRoot: transactionsTrie,
    receiptsRoot: receiptTrie,
  }
}
