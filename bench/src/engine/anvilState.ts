import { type Account, type Address, keccak256Hex, type Missing, type StateView, type Word } from '@understudy/evm'
import type { Anvil } from '@understudy/testkit'

type Loaded = Account & { code: Uint8Array }

/** The part of an anvil's state that was fetched. */
export class AnvilState implements StateView {
  readonly identity = {}
  readonly accounts = new Map<Address, Loaded>()
  readonly slots = new Map<Address, Map<Word, bigint>>()
  readonly #anvil: Anvil

  constructor(anvil: Anvil) {
    this.#anvil = anvil
  }

  account(address: Address): Account | undefined {
    return this.accounts.get(address)
  }

  code(address: Address): Uint8Array | undefined {
    return this.accounts.get(address)?.code
  }

  storage(address: Address, slot: Word): bigint | undefined {
    return this.slots.get(address)?.get(slot)
  }

  blockHash(): Word {
    return `0x${'00'.repeat(32)}`
  }

  /** Fetches state that a run was missing. */
  async load({ accounts, codes, slots }: Missing): Promise<void> {
    for (const address of new Set([...accounts, ...codes])) {
      const read = (method: string) => this.#anvil.rpc<Word>(method, [address, 'latest'])
      const [balance, nonce, code] = await Promise.all(
        ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map(read) as [
          Promise<Word>,
          Promise<Word>,
          Promise<Word>,
        ],
      )
      const bytes = new Uint8Array(Buffer.from(code.slice(2), 'hex'))
      this.accounts.set(address, {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        codeHash: keccak256Hex(bytes),
        code: bytes,
      })
    }
    for (const [address, key] of slots) {
      const value = BigInt(await this.#anvil.rpc<Word>('eth_getStorageAt', [address, key, 'latest']))
      const known = this.slots.get(address)
      if (known === undefined) this.slots.set(address, new Map([[key, value]]))
      else known.set(key, value)
    }
  }
}
