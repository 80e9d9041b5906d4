import type { Address } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { RawBlock } from '../answers.ts'
import type { BlockChanges } from '../changes/blockChanges.ts'
import { ProofComparer } from '../changes/proofs.ts'
import { protocolContracts } from '../changes/protocolChanges.ts'
import { type ChangeSources, changesOutsideOfBlocks } from '../changes/sources.ts'
import type { UpstreamHead } from '../head/head.ts'
import type { Upstream } from '../upstream.ts'
import type { CanonicalChain } from './canonicalChain.ts'
import { isSlot, type StateStore } from './store.ts'

/** If nothing was read for this long, upstream is no longer asked for block changes. */
const idleMs = 15 * 60_000
/** Accounts read this recently, up to this many, are compared by proof. */
const recentMs = 60_000
const proofLimit = 50

type Needs = {
  upstream: Pick<Upstream, 'request' | 'capabilities'>
  chain: CanonicalChain
  store: StateStore
  sources: ChangeSources
  clock: Clock
  logger: Logger
}

/** Moves the cache to upstream's heads, one at a time. */
export type HeadMover = {
  /** Throws if the head's position is unknown: the cache then stays where it was. */
  moveTo(head: UpstreamHead, signal: AbortSignal): Promise<void>
  /** Drops every value. */
  forget(): void
}

/** Creates the service that decides which cached values hold at a new head. */
export function createHeadMover({ upstream, chain, store, sources, clock, logger }: Needs): HeadMover {
  const proofs = new ProofComparer(upstream.request)
  const tip = () => store.timeline.tip

  function forget(): void {
    store.clear()
    proofs.clear()
  }

  /** What upstream can tell of its blocks; `undefined` if it cannot tell what they changed, or nothing in the cache would benefit. */
  async function tellingCapabilities() {
    if (!isUsedSince(clock.now() - idleMs)) return undefined
    const capabilities = await upstream.capabilities()
    return changesOutsideOfBlocks(capabilities) || !sources.canLoad(capabilities) ? undefined : capabilities
  }

  /** Whether anything was read except what the network reads at each block. */
  function isUsedSince(time: number): boolean {
    for (const [address, { usedAtTip, values }] of store.accounts)
      if (usedAtTip >= time && values.size > 3 && !protocolContracts.includes(address)) return true
    return false
  }

  function apply(changes: readonly BlockChanges[], blocks: readonly RawBlock[], head: number): void {
    for (const [index, change] of changes.entries()) store.change(change, Number(blocks[index]?.number))
    store.timeline.moveTo(head)
  }

  /** Continues at a head with an unknown path, with values that proofs show to be unchanged. */
  async function jump(head: UpstreamHead, signal: AbortSignal): Promise<void> {
    const before = tip()
    const after = Number(head.number)
    const pairs = await compare(before, after, signal)
    store.restartAt(after)
    for (const [address, { old, fresh }] of pairs) {
      store.set(address, 'balance', fresh.balance, after)
      store.set(address, 'nonce', fresh.nonce, after)
      if (store.hasCode(fresh.codeHash)) store.set(address, 'codeHash', fresh.codeHash, after)
      if (old.storageHash === fresh.storageHash) store.carrySlots(address, before)
    }
  }

  async function compare(before: number, after: number, signal: AbortSignal) {
    const recent = clock.now() - recentMs
    const addresses: Address[] = []
    for (const [address, { usedAtTip, values }] of store.accounts)
      if (usedAtTip >= recent && [...values.keys()].some(isSlot)) addresses.push(address)
    if (addresses.length === 0 || after <= before) return new Map<Address, never>()
    const capabilities = await upstream.capabilities()
    if (!capabilities.proof || changesOutsideOfBlocks(capabilities)) return new Map<Address, never>()
    try {
      return await proofs.compare(addresses.slice(-proofLimit), BigInt(before), BigInt(after), signal)
    } catch (error) {
      logger.debug({ err: error, block: after }, 'Could not compare accounts by their proofs')
      return new Map<Address, never>()
    }
  }

  return {
    async moveTo(head, signal) {
      const number = Number(head.number)
      const needsBlocks = async () => (await tellingCapabilities()) !== undefined
      const { ancestor, blocks } = await chain.routeTo(head, tip(), needsBlocks, signal)
      if (ancestor === undefined) {
        chain.rewindTo(-1)
        forget()
        store.timeline.restartAt(number)
        chain.add(number, head.hash)
        return
      }
      if (ancestor < tip()) {
        chain.rewindTo(ancestor)
        store.rewindTo(ancestor)
        proofs.clear()
      }
      if (number === tip()) return
      const capabilities = blocks && (await tellingCapabilities())
      const changes = capabilities && blocks && (await sources.load(capabilities, blocks, signal))
      if (changes && blocks) apply(changes, blocks, number)
      else await jump(head, signal)
      for (const block of blocks ?? []) chain.add(Number(block.number), block.hash)
      chain.add(number, head.hash)
    },
    forget,
  }
}
