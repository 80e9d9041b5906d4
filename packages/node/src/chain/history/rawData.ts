import type { Hex, Word } from '@understudy/evm'
import { decodeAccessList } from '../../ethereum/accessList.ts'
import { encodeHeader, headerFromRpc, headerHash } from '../../ethereum/header.ts'
import { encodeRawBlock } from '../../ethereum/rawBlock.ts'
import { encodeReceipt } from '../../ethereum/receipt.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes, quantity } from '../../shared/hex.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import { loadAccessList } from '../../storage/records/chain/blocks.ts'
import type { History } from './history.ts'

/** Encoded blocks and their contents. Upstream's data is requested from upstream. */
export type RawData = {
  block(tag: BlockTag): Promise<Hex>
  header(tag: BlockTag): Promise<Hex>
  receipts(tag: BlockTag): Promise<Hex[]>
  /** The block access list (EIP-7928). */
  accessList(tag: BlockTag): Promise<Hex>
  /** The same, decoded. */
  decodedAccessList(tag: BlockTag): Promise<unknown>
  /** `undefined` if there is no such transaction. */
  transaction(hash: Word): Promise<Hex | undefined>
}

type Needs = {
  database: Database
  history: Pick<History, 'resolve' | 'loadBlock' | 'loadReceipts' | 'loadTransaction'>
  /** Returns `undefined` if upstream does not support the method. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

export function createRawData({ database, history, ask }: Needs): RawData {
  /** The list of a block of our own, or what upstream answers for one of its blocks. */
  async function accessListOf<T>(tag: BlockTag, decode: (list: Uint8Array) => T, method: string): Promise<T> {
    const { origin, hash, number } = await history.resolve(tag)
    const own = origin === 'local' ? await loadAccessList(database.queries, hash) : undefined
    if (own) return decode(own)
    const params = method.startsWith('debug_') ? [quantity(number)] : [hash]
    const list = origin === 'upstream' ? await ask(method, params) : undefined
    if (list !== undefined && list !== null) return list as T
    throw new NetworkError('UNSUPPORTED', { what: `an access list of block ${hash}: its fork has none (EIP-7928)` })
  }

  async function requireBlock(tag: BlockTag) {
    const found = await history.loadBlock(tag)
    if (found) return found
    const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
    throw new NetworkError('NOT_FOUND', { resource: 'block', id: block })
  }

  async function require<T>(method: string, params: readonly unknown[]): Promise<T> {
    const answer = await ask(method, params)
    if (answer !== undefined && answer !== null) return answer as T
    throw new NetworkError('UNSUPPORTED', {
      what: `${method} for a block of upstream, which does not support the method`,
    })
  }

  return {
    async block(tag) {
      const found = await requireBlock(tag)
      if (found.origin === 'upstream') return require('debug_getRawBlock', [found.value.number])
      const { header, transactions } = found.value
      return hexFromBytes(
        encodeRawBlock(
          header,
          transactions.map(({ raw }) => bytesFromHex(raw)),
        ),
      )
    },
    async header(tag) {
      const found = await requireBlock(tag)
      const header = found.origin === 'local' ? found.value.header : headerFromRpc(found.value)
      // Headers of other chains may have unknown fields.
      if (headerHash(header) !== found.value.hash) return require('debug_getRawHeader', [quantity(header.number)])
      return hexFromBytes(encodeHeader(header))
    },
    async receipts(tag) {
      const found = await requireBlock(tag)
      if (found.origin === 'upstream') return require('debug_getRawReceipts', [found.value.number])
      const receipts = await history.loadReceipts({ number: found.value.header.number })
      return (receipts ?? []).flatMap((receipt) =>
        receipt.origin === 'local' ? [hexFromBytes(encodeReceipt(receipt.value))] : [],
      )
    },
    accessList: (tag) => accessListOf(tag, hexFromBytes, 'debug_getRawBlockAccessList'),
    decodedAccessList: (tag) => accessListOf<unknown>(tag, decodeAccessList, 'eth_getBlockAccessList'),
    async transaction(hash) {
      const found = await history.loadTransaction(hash)
      if (!found) return undefined
      return found.origin === 'local' ? found.value.transaction.raw : require('eth_getRawTransactionByHash', [hash])
    },
  }
}
