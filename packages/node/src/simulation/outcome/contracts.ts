import { type Address, type Done, isCreation } from '@understudy/evm'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import type { LoadingView } from '../../state/view.ts'
import type { RunKnowledge } from './known.ts'
import type { TouchedContract, TouchedToken } from './outcome.ts'

/** Maximum number of contracts of a call that are told of. */
export const contractLimit = 200

/** The contracts that a run called, and the tokens that moved, with what is known of them. */
export function contractsOf(
  { frames }: Pick<Done, 'frames'>,
  {
    after,
    knowledge,
    tokens,
  }: {
    after: LoadingView
    knowledge: RunKnowledge
    tokens: ReadonlyMap<Address, TouchedToken>
  },
): TouchedContract[] {
  const created = new Set(frames.filter((frame) => isCreation(frame) && frame.error === undefined).map(({ to }) => to))
  const addresses = new Set([...frames.map(({ to }) => to), ...tokens.keys()])
  const found: TouchedContract[] = []
  for (const address of addresses) {
    const hash = after.account(address)?.codeHash
    const known = knowledge.of(address)
    if ((hash === undefined || hash === emptyCodeHash) && !known) continue
    if (found.length >= contractLimit) break
    const implementations = knowledge.implementationsOf(address)
    const behind = implementations.map((one) => knowledge.of(one)).find((one) => one !== undefined)
    found.push({
      address,
      name: known?.name ?? behind?.name,
      source: known?.source ?? behind?.source,
      abi: known || behind ? [...(behind?.abi.items ?? []), ...(known?.abi.items ?? [])] : undefined,
      implementations,
      isCreated: created.has(address),
      token: tokens.get(address),
    })
  }
  return found
}
