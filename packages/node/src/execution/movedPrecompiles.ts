import { type Address, type BlockContext, hostedContract, precompileNumber, requireRules } from '@understudy/evm'
import { isHosted } from '../ethereum/chains/contracts/contractsOf.ts'
import { NetworkError } from '../shared/errors.ts'
import type { StateOverrides } from './stateOverrides.ts'

/**
 * A block with precompiles moved by state overrides. A precompile whose address gets code, or that is moved away, is
 * removed from its address. Throws if a move is not possible.
 */
export function withMovedPrecompiles(block: BlockContext, overrides: StateOverrides): BlockContext {
  const rules = requireRules(block.fork)
  const precompiles = new Map<Address, number>(block.precompiles)
  const targets = new Set<Address>()
  for (const [address, { movePrecompileTo: target, code }] of overrides) {
    const hosted = isHosted(block, address) ? hostedContract : undefined
    const number = precompiles.get(address) ?? hosted ?? precompileNumber(address, rules) ?? 0
    if (target !== undefined) {
      if (number === 0) throw new NetworkError('NOT_A_PRECOMPILE', { address })
      if (target === address) throw new NetworkError('PRECOMPILE_MOVED_TO_ITSELF', { address })
      if (targets.has(target)) throw new NetworkError('PRECOMPILE_MOVED_TWICE', { address: target })
      targets.add(target)
      precompiles.set(target, number)
    }
    const isGone = target !== undefined || (code !== undefined && number !== 0)
    if (isGone && !targets.has(address)) precompiles.set(address, 0)
  }
  if (precompiles.size === 0) return block
  return { ...block, precompiles, chainPrecompiles: block.precompiles ?? new Map() }
}
