import type { Address } from '@understudy/evm'
import type { Logger } from '../shared/logger.ts'

/** Called for each signature of the network with the chain id it is for, or `undefined`. */
export type SignatureNotice = (account: Address, chainId: bigint | undefined) => void

/** Large public chains and their testnets: a signature for one of these ids is valid there. */
const publicChains = new Set<bigint>([
  ...[1n, 10n, 25n, 56n, 100n, 130n, 137n, 146n, 250n, 252n, 324n, 480n, 1284n, 2741n, 5000n, 8453n, 34443n, 42161n],
  ...[42220n, 43114n, 59144n, 80094n, 81457n, 534352n, 7777777n],
  ...[17000n, 43113n, 59141n, 80002n, 84532n, 97n, 300n, 421614n, 534351n, 560048n, 11155111n, 11155420n],
])
/** Development chain ids, used by many networks. */
const localChains = [1337n, 31_337n]

type Options = {
  /** Whether the accounts come from a public mnemonic. */
  isTestMnemonic: boolean
  chainId: () => bigint
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
}

/**
 * Warns about signatures that are valid on a public chain, once per account and chain. Ignores accounts of a public
 * mnemonic.
 */
export function createSignatureNotice(
  { isTestMnemonic, chainId, upstreamChainId }: Options,
  { logger }: { logger: Logger },
): SignatureNotice {
  const told = new Set<string>()
  const isPublic = (id: bigint) => publicChains.has(id) || (id === upstreamChainId && !localChains.includes(id))
  return (account, given = chainId()) => {
    const name = `${account} ${given}`
    if (isTestMnemonic || !isPublic(given) || told.has(name)) return
    told.add(name)
    logger.warn(
      { account, chainId: given },
      'Signed with an account of your own mnemonic for a public chain, where the signature is also valid. --chain-id gives the network its own id',
    )
  }
}
