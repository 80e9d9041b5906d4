import { type Address, createdAddress, type Message } from '@understudy/evm'
import type { LoadingView } from '../state/view.ts'

/** Maximum number of addresses that come along with the one of a new contract. */
const aheadLimit = 8

/**
 * Where a sender will probably create contracts next, if the address of the one that it creates now is missing: as many as it
 * has created just before, one after the other. A script that deploys would wait for the live chain once for each.
 */
export function nextCreated({ from, to, nonce }: Message, missing: readonly Address[], view: LoadingView): Address[] {
  const first = nonce ?? view.account(from)?.nonce
  if (to !== undefined || first === undefined || !missing.includes(createdAddress(from, first))) return []
  let count = 0
  while (
    count < aheadLimit &&
    BigInt(count) < first &&
    wasCreated(createdAddress(from, first - BigInt(count + 1)), view)
  )
    count++
  return Array.from({ length: count }, (_, index) => createdAddress(from, first + BigInt(index + 1)))
}

const wasCreated = (address: Address, view: LoadingView) => view.localField?.(address, 'codeHash') !== undefined
