import type { Address } from '@understudy/evm'
import { keccak } from '../shared/keccak.ts'
import type { Logger } from '../shared/logger.ts'
import { createPace } from '../shared/yieldToEventLoop.ts'
import type { CodeObserver } from '../state/change.ts'
import type { Database } from '../storage/database.ts'
import type { ContractCodes } from './contractCode.ts'
import type { CodeMatch, ContractLibrary } from './contractLibrary.ts'

/**
 * Links a contract to the imported contracts whose code it has, when it is first looked at. Nothing announces contracts of
 * the live chain, and those that come from a promoted branch. Others are linked when they are created or written.
 */
export type Recognition = {
  /** Whether a link was added. Without imports, it reads nothing. If the code cannot be read, there is no link. */
  recognise(address: Address): Promise<boolean>
}

type Needs = {
  library: Pick<ContractLibrary, 'isEmpty' | 'match' | 'link'>
  codes: ContractCodes
  /** Nodes that do not seal also store links. */
  sideConnection: Pick<Database, 'transaction'>
  logger: Logger
}

export function createRecognition({ library, codes, sideConnection, logger }: Needs): Recognition {
  return {
    async recognise(address) {
      if (library.isEmpty()) return false
      try {
        const { origin, code } = await codes.load(address)
        const matches = origin === 'none' ? [] : await library.match(code)
        if (matches.length === 0) return false
        await sideConnection.transaction(async (transaction) => {
          for (const match of matches) await library.link(transaction, address, match)
        })
        return true
      } catch (error) {
        logger.debug({ err: error, address }, 'Could not compare a contract with the imported ones')
        return false
      }
    },
  }
}

/** How long a dump of many contracts may block other requests, in milliseconds. */
const sliceMs = 10

/** Links accounts whose code is written directly to the imported contracts that have it, as a deployment is. */
export function linkWrittenCode(library: Pick<ContractLibrary, 'isEmpty' | 'match' | 'link'>): CodeObserver {
  return async (codes) => {
    const links: { address: Address; match: CodeMatch }[] = []
    if (codes.size > 0 && !library.isEmpty()) {
      const matches = new Map<string, CodeMatch[]>()
      const pace = createPace(sliceMs)
      for (const [address, code] of codes) {
        await pace()
        const hash = keccak(code)
        const found = matches.get(hash) ?? (await library.match(code))
        matches.set(hash, found)
        for (const match of found) links.push({ address, match })
      }
    }
    return async (queries) => {
      for (const { address, match } of links) await library.link(queries, address, match)
    }
  }
}
