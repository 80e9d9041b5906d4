import type { Address, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { loadAddressesWithSlots, loadLocalAccounts } from '../../storage/records/state/localState.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { History } from './history.ts'

/** A slot, and how its key is to be written. */
export type AskedSlot = { slot: Word; key: string }

/** Merkle proofs of accounts. Only upstream can provide them, because a fork has no trie. */
export type Proofs = {
  /** Throws `UNSUPPORTED` for accounts that differ from upstream: they have no proof. */
  load(address: Address, slots: readonly AskedSlot[], tag: BlockTag): Promise<Record<string, unknown>>
}

type Needs = {
  database: Database
  history: Pick<History, 'resolve' | 'loadBlock' | 'origin' | 'head'>
  state: Pick<State, 'seq' | 'follows'>
  upstream: Pick<Upstream, 'request' | 'atBlock'> | undefined
}

export function createProofs({ database, history, state, upstream }: Needs): Proofs {
  /** The base of the block. */
  async function baseOf(tag: BlockTag): Promise<Base> {
    const { origin, number, hash } = await history.resolve(tag)
    if (origin === 'upstream') return { number, hash }
    if (hash === history.head().hash) return history.head().base
    const found = await history.loadBlock({ hash })
    return found?.origin === 'local' ? found.value.base : { number, hash }
  }

  async function isLocal(address: Address): Promise<boolean> {
    const accounts = await loadLocalAccounts(database.queries, [address], state.seq())
    const { balance, nonce, codeHash, storageSeq } = accounts.get(address) ?? {}
    if ([balance, nonce, codeHash, storageSeq].some((field) => field !== undefined)) return true
    return (await loadAddressesWithSlots(database.queries, [address])).has(address)
  }

  return {
    async load(address, asked, tag) {
      const slots = asked.map(({ slot }) => slot)
      if (!upstream) throw new NetworkError('UNSUPPORTED', { what: 'eth_getProof on a network that forks nothing' })
      const { origin, hash } = await history.resolve(tag)
      // Direct writes belong to the head, even while the head is still upstream's block.
      if (origin === 'local' || hash === history.head().hash) {
        const isFollowed =
          state.follows().hasAccount(address) || slots.some((slot) => state.follows().hasSlot(address, slot))
        if (isFollowed || (await isLocal(address)))
          throw new NetworkError('UNSUPPORTED', {
            what: `a proof of ${address}: ${isFollowed ? 'it is followed' : 'it was changed on this network'}, and local state is in no trie. Use a block before the fork`,
          })
      }
      const base = await baseOf(tag)
      const params = [address, slots, upstream.atBlock(base)]
      const proof = await upstream.request<Record<string, unknown>>('eth_getProof', params)
      const proven: unknown = proof.storageProof
      if (!Array.isArray(proven)) return proof
      return { ...proof, storageProof: proven.map((each, index) => ({ ...each, key: asked[index]?.key ?? each.key })) }
    },
  }
}
