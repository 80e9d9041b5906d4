import { giveWay } from '../shared/giveWay.ts'
import { keccak } from '../shared/keccak.ts'
import type { CodeObserver } from '../state/change.ts'
import type { CodeMatch, ContractLibrary } from './contractLibrary.ts'

/** How long a dump of many contracts may block other requests, in milliseconds. */
const sliceMs = 10

/** Links accounts whose code is written directly to the imported contracts that have it, as a deployment is. */
export function linkWrittenCode(library: Pick<ContractLibrary, 'isEmpty' | 'match' | 'link'>): CodeObserver {
  return async (codes) => {
    const links: { address: Parameters<typeof library.link>[1]; match: CodeMatch }[] = []
    if (codes.size > 0 && !library.isEmpty()) {
      const matches = new Map<string, CodeMatch[]>()
      let sliceEnd = performance.now() + sliceMs
      for (const [address, code] of codes) {
        if (performance.now() >= sliceEnd) {
          await giveWay()
          sliceEnd = performance.now() + sliceMs
        }
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
