import type { Address, Hex, Word } from '@understudy/evm'
import { quantity } from '../../shared/hex.ts'
import type { Request } from '../transport/requests.ts'

/** An account's balance, nonce, and the hashes of its code and storage. */
export type AccountProof = { balance: bigint; nonce: bigint; codeHash: Word; storageHash: Word }

type RawProof = { balance: Hex; nonce: Hex; codeHash: Word; storageHash: Word }

/**
 * Compares accounts at two blocks by `eth_getProof`: equal hashes mean equal storage. Proofs at the newer block are
 * cached, so that the next comparison needs one proof per account.
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

  /** Drops the cached proofs: after a reorg, the blocks with these numbers are different. */
  clear(): void {
    this.#seenAt = -1n
  }

  async #load(address: Address, block: bigint, signal: AbortSignal): Promise<AccountProof> {
    const raw = await this.#request<RawProof>('eth_getProof', [address, [], quantity(block)], { signal })
    const { codeHash, storageHash } = raw
    return { balance: BigInt(raw.balance), nonce: BigInt(raw.nonce), codeHash, storageHash }
  }
}
