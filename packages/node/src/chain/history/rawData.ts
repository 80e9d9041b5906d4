import type { Hex, Word } from '@understudy/evm'
import { decodeAccessList } from '../../ethereum/accessList.ts'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import { rebuildBlock, rebuildHeader, rebuildReceipts, rebuildTransaction } from '../../ethereum/encodings/rebuilt.ts'
import { encodeHeader } from '../../ethereum/header.ts'
import { encodeRawBlock } from '../../ethereum/rawBlock.ts'
import { encodeReceipt } from '../../ethereum/receipt.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes, quantity } from '../../shared/hex.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import { loadAccessList } from '../../storage/records/chain/blocks.ts'
import { loadLocalCode } from '../../storage/records/state/localState.ts'
import { loadUpstreamCode } from '../../storage/records/upstream/upstreamCache.ts'
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
  /** The transactions of a block in their EIP-2718 encoding. */
  transactions(tag: BlockTag): Promise<Hex[]>
  /** Code that an account of the network has or had, or that was read from upstream; `undefined` if it is unknown. */
  code(hash: Word): Promise<Hex | undefined>
  /** `undefined` if there is no such transaction. */
  transaction(hash: Word): Promise<Hex | undefined>
}

type Needs = {
  database: Database
  history: Pick<History, 'resolve' | 'loadBlock' | 'loadReceipts' | 'loadTransaction'>
  /** Returns `undefined` if upstream does not support the method. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

function unknownBlock(tag: BlockTag): NetworkError {
  const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
  return new NetworkError('NOT_FOUND', { resource: 'block', id: block })
}

export function createRawData({ database, history, ask }: Needs): RawData {
  const { queries } = database
  /** The list of a block of our own, or what upstream answers for one of its blocks. */
  async function accessListOf<T>(tag: BlockTag, decode: (list: Uint8Array) => T, method: string): Promise<T> {
    const { origin, hash, number } = await history.resolve(tag)
    const own = origin === 'local' ? await loadAccessList(queries, hash) : undefined
    if (own) return decode(own)
    const params = method.startsWith('debug_') ? [quantity(number)] : [hash]
    const list = origin === 'upstream' ? await ask(method, params) : undefined
    if (list !== undefined && list !== null) return list as T
    throw new NetworkError('UNSUPPORTED', { what: `an access list of block ${hash}: its fork has none (EIP-7928)` })
  }

  async function requireBlock(tag: BlockTag) {
    const found = await history.loadBlock(tag)
    if (!found) throw unknownBlock(tag)
    return found
  }

  /** A transaction of upstream. */
  async function rawOf(transaction: Record<string, unknown>): Promise<Hex> {
    const rebuilt = hexOf(rebuildTransaction(transaction))
    return rebuilt ?? require<Hex>('eth_getRawTransactionByHash', [transaction.hash], async () => undefined)
  }

  /** Upstream's encoding, where it has the method; otherwise one that is made from its JSON, if the hashes prove it. */
  async function require<T>(method: string, params: readonly unknown[], rebuild: () => Promise<T | undefined>) {
    const answer = await ask(method, params)
    if (answer !== undefined && answer !== null) return answer as T
    const rebuilt = await rebuild()
    if (rebuilt !== undefined) return rebuilt
    throw new NetworkError('UNSUPPORTED', {
      what: `${method} for a block of upstream, which does not support the method, and whose JSON does not show all of it`,
    })
  }

  const hexOf = (encoded: Uint8Array | undefined) => encoded && hexFromBytes(encoded)

  async function rebuiltBlock(hash: Word): Promise<Hex | undefined> {
    const whole = await history.loadBlock({ hash }, 'full')
    if (whole?.origin !== 'upstream') return undefined
    const uncles = Array.isArray(whole.value.uncles) ? whole.value.uncles : []
    const found = await Promise.all(
      uncles.map((_, index) => ask('eth_getUncleByBlockHashAndIndex', [hash, quantity(index)])),
    )
    return hexOf(
      rebuildBlock(
        whole.value,
        found.map((uncle) => (uncle ?? {}) as Record<string, unknown>),
      ),
    )
  }

  async function rebuiltReceipts({ hash, receiptsRoot }: Record<string, unknown>): Promise<Hex[] | undefined> {
    const receipts = await history.loadReceipts({ hash: hash as Word })
    const raw = receipts?.flatMap((receipt) => (receipt.origin === 'upstream' ? [receipt.value] : []))
    return raw && rebuildReceipts(raw, receiptsRoot)?.map(hexFromBytes)
  }

  return {
    async block(tag) {
      const found = await requireBlock(tag)
      if (found.origin === 'upstream')
        return require<Hex>('debug_getRawBlock', [found.value.hash], () => rebuiltBlock(found.value.hash as Word))
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
      if (found.origin === 'local') return hexFromBytes(encodeHeader(found.value.header))
      return (
        hexOf(rebuildHeader(found.value)) ??
        // Headers of other chains may have fields that are not known here.
        require<Hex>('debug_getRawHeader', [found.value.hash], async () => undefined)
      )
    },
    async receipts(tag) {
      const found = await requireBlock(tag)
      if (found.origin === 'upstream')
        return require<Hex[]>('debug_getRawReceipts', [found.value.hash], () => rebuiltReceipts(found.value))
      const receipts = await history.loadReceipts(tag)
      return (receipts ?? []).flatMap((receipt) =>
        receipt.origin === 'local' ? [hexFromBytes(encodeReceipt(receipt.value))] : [],
      )
    },
    accessList: (tag) => accessListOf(tag, hexFromBytes, 'debug_getRawBlockAccessList'),
    decodedAccessList: (tag) => accessListOf<unknown>(tag, decodeAccessList, 'eth_getBlockAccessList'),
    async transactions(tag) {
      const found = await history.loadBlock(tag, 'full')
      if (!found) throw unknownBlock(tag)
      if (found.origin === 'local') return found.value.transactions.map(({ raw }) => raw)
      const transactions = found.value.transactions as Record<string, unknown>[]
      return Promise.all(transactions.map(rawOf))
    },
    async code(hash) {
      if (hash === emptyCodeHash) return '0x'
      const own = (await loadLocalCode(queries, hash)) ?? (await loadUpstreamCode(queries, hash))
      if (own) return hexFromBytes(own)
      // Some nodes answer with no code where they know none.
      const there = (await ask('debug_codeByHash', [hash])) as Hex | null | undefined
      return there && there !== '0x' ? there : undefined
    },
    async transaction(hash) {
      const found = await history.loadTransaction(hash)
      if (!found) return undefined
      return found.origin === 'local' ? found.value.transaction.raw : rawOf(found.value)
    },
  }
}
