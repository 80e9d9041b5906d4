import { type AccessListItem, delegateOf, isPrecompile, rulesOf, type TracedRun } from '@understudy/evm'

/**
 * The access list that makes everything warm which a run touched. What it read says that without another run. The sender, the
 * called address, the coinbase and precompiles are warm anyway and are left out, but for slots of theirs.
 */
export function accessListOf({ message, block, result, view }: TracedRun): AccessListItem[] {
  const rules = rulesOf(block)
  const { accounts, slots } = result.readSet
  const keys = new Map([...slots].map(([address, of]) => [address, new Set(of)]))
  for (const { address, storageKeys } of message.accessList ?? [])
    keys.set(address, new Set([...(keys.get(address) ?? []), ...storageKeys]))
  for (const [address, of] of result.diff.slots)
    keys.set(address, new Set([...(keys.get(address) ?? []), ...of.keys()]))
  const called = new Set(result.frames.map(({ to }) => to))
  const delegates = [...called].flatMap((address) => delegateOf(address, view) ?? [])
  const warm = new Set([message.from, message.to ?? result.frames[0]?.to])
  if (!called.has(block.coinbase)) warm.add(block.coinbase)
  for (const { authority } of message.authorizationList ?? []) warm.add(authority)
  const listed = (message.accessList ?? []).map(({ address }) => address)
  return [...new Set([...listed, ...accounts, ...called, ...delegates, ...keys.keys()])]
    .filter((address) => keys.has(address) || !(warm.has(address) || isPrecompile(address, rules)))
    .map((address) => ({ address, storageKeys: [...(keys.get(address) ?? [])] }))
}
