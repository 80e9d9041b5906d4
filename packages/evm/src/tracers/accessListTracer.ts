import { requireRules } from '../forks.ts'
import type { AccessListItem } from '../port.ts'
import { isPrecompile } from './isPrecompile.ts'
import { delegateOf, touchedByOperations } from './touchedState.ts'
import type { TracedRun } from './tracer.ts'

/**
 * The access list that makes everything warm which a run touched (EIP-2930). The sender, the called address and precompiles
 * are warm anyway and are left out, but for slots of theirs. What is in `given` is part of the list.
 */
export async function accessListTracer(
  run: TracedRun,
  given: readonly AccessListItem[] = [],
): Promise<AccessListItem[]> {
  const { message, block, result, view } = run
  const rules = requireRules(block.fork)
  const { accounts, slots } = await touchedByOperations(run)
  for (const { address, storageKeys } of given) {
    accounts.add(address)
    if (storageKeys.length > 0) slots.set(address, new Set([...(slots.get(address) ?? []), ...storageKeys]))
  }
  for (const { to } of result.frames) {
    const delegate = delegateOf(to, view)
    if (delegate) accounts.add(delegate)
  }
  const warm = new Set([message.from, message.to ?? result.frames[0]?.to])
  for (const { authority } of message.authorizationList ?? []) warm.add(authority)
  const addresses = new Set([...accounts, ...slots.keys()])
  return [...addresses]
    .filter((address) => slots.has(address) || !(warm.has(address) || isPrecompile(address, rules)))
    .map((address) => ({ address, storageKeys: [...(slots.get(address) ?? [])] }))
}
