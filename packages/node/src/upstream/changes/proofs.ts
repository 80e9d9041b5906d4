import type { Address, Hex, Word } from '@understudy/evm'
import { quantity } from '../../shared/hex.ts'
import type { Request } from '../transport/requests.ts'

/** An account without its code and its storage, but with the hashes of both. */
export type AccountProof = { balance: bigint; nonce: bigint; codeHash: Word; storageHash: Word }

type RawProof = { balance: Hex; nonce: Hex; codeHash: Word; storageHash: Word }

/**
 * Compares accounts at two blocks by `eth_getProof`: equal hashes say that nothing of the storage differs.
 * What was seen at the newer block is remembered, so that the next comparison asks for one proof of each account.
 */
export class ProofComparer {
  readonly #request: Request
  #seen = new Map<Address, AccountProof>()
  #seenAt = -1n

  constructor(request: Request) {
    this.#request = request
  }

  async compare(
    addresses: readonly Address[],
    before: bigint,
    after: bigint,
    signal: AbortSignal,
  ): Promise<Map<Address, { old: AccountProof; fresh: AccountProof }>> {
    const known = this.#seenAt === before ? this.#seen : new Map<Address, AccountProof>()
    const pairs = await Promise.all(
      addresses.map(async (address) => {
        const [old, fresh] = await Promise.all([
          known.get(address) ?? this.#load(address, before, signal),
          this.#load(address, after, signal),
        ])
        return [address, { old, fresh }] as const
      }),
    )
    this.#seen = new Map(pairs.map(([address, { fresh }]) => [address, fresh]))
    this.#seenAt = after
    return new Map(pairs)
  }

  /** Forgets what was seen: after a reorg, blocks of these numbers are others. */
  clear(): void {
    this.#seenAt = -1n
  }

  async #load(address: Address, block: bigint, signal: AbortSignal): Promise<AccountProof> {
    const raw = await this.#request<RawProof>('eth_getProof', [address, [], quantity(block)], { signal })
    const { codeHash, storageHash } = raw
    return { balance: BigInt(raw.balance), nonce: BigInt(raw.nonce), codeHash, storageHash }
  }
}
