import type { Address, Word } from '@understudy/evm'
import { createAskOptional } from '../chain/origins.ts'
import type { UpstreamBlock } from '../chain/sealing/blockGroup.ts'
import { type LiveBlock, loadLiveBlock } from '../fidelity/liveBlock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { wordOf } from '../upstream/changes/accessLists.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { addSlot, type Keys, keysOfPrestate, noKeys } from './accesses.ts'
import { createTraceRequests } from './traceRequests.ts'

/** A block of the live chain, and what it accesses. */
export type AccessedBlock = {
  live: LiveBlock
  /** What each transaction accesses, or all of them together; `undefined` where upstream cannot tell. */
  accesses: Keys[] | undefined
}

type Options = {
  /** How long the trace of a block may take. */
  limitMs: number
}

type Needs = { upstream: Pick<Upstream, 'request'>; signal: AbortSignal; logger: Logger }

/**
 * Reads blocks of the live chain, and what they access: by their access lists (EIP-7928), or else by their traces, which
 * take a node much longer to make.
 */
export function createLiveBlocks(options: Options, { upstream, signal, logger }: Needs) {
  const request = <T>(method: string, params: readonly unknown[]) => upstream.request<T>(method, params, { signal })
  const askOptional = createAskOptional(request)
  const askTrace = createTraceRequests(options, { upstream, signal, logger })

  /** Throws `UPSTREAM_ERROR` if it is in the live chain no more. */
  async function load({ number, hash }: UpstreamBlock, from: typeof askOptional): Promise<LiveBlock> {
    const live = await loadLiveBlock(number, { request, askOptional, askTrace: from })
    if (live.raw.hash !== hash) throw new NetworkError('UPSTREAM_ERROR', { problem: `it replaced block ${number}` })
    return live
  }

  async function loadTraced(block: UpstreamBlock): Promise<AccessedBlock> {
    const live = await load(block, askTrace)
    return { live, accesses: live.prestates?.map(keysOfPrestate) }
  }

  return {
    loadTraced,
    async load(block: UpstreamBlock): Promise<AccessedBlock> {
      if (block.header.blockAccessListHash === undefined) return loadTraced(block)
      const [live, list] = await Promise.all([
        load(block, async () => undefined),
        askOptional('eth_getBlockAccessList', [block.hash]),
      ])
      const keys = keysOfAccessList(list)
      return keys ? { live, accesses: [keys] } : loadTraced(block)
    },
  }
}

type AccountAccess = { address?: unknown; storageChanges?: unknown; storageReads?: unknown }

/** `undefined` if it is not the access list of a block: that of a real one is never empty. */
function keysOfAccessList(list: unknown): Keys | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const keys = noKeys()
  for (const account of list as (AccountAccess | null)[]) {
    const { address, storageChanges, storageReads } = account ?? {}
    if (typeof address !== 'string' || !Array.isArray(storageChanges) || !Array.isArray(storageReads)) return undefined
    const lowered = address.toLowerCase() as Address
    keys.accounts.add(lowered)
    for (const slot of [...storageChanges.map((change: { key?: unknown } | null) => change?.key), ...storageReads]) {
      if (typeof slot !== 'string') return undefined
      addSlot(keys, lowered, wordOf(slot as Word))
    }
  }
  return keys
}
