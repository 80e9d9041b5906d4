import type { Address } from '@understudy/evm'
import type { Logger } from '../shared/logger.ts'

/** Told of each signature that the network makes: for which chain it is, or `undefined` when it names none. */
export type SignatureNotice = (account: Address, chainId: bigint | undefined) => void

/** Large public chains and their test networks: a signature with one of their ids is valid there. */
const publicChains = new Set<bigint>([
  ...[1n, 10n, 25n, 56n, 100n, 130n, 137n, 146n, 250n, 252n, 324n, 480n, 1284n, 2741n, 5000n, 8453n, 34443n, 42161n],
  ...[42220n, 43114n, 59144n, 80094n, 81457n, 534352n, 7777777n],
  ...[17000n, 43113n, 59141n, 80002n, 84532n, 97n, 300n, 421614n, 534351n, 560048n, 11155111n, 11155420n],
])
/** Chains for development: many have these ids. */
const localChains = [1337n, 31_337n]

type Options = {
  /** Whether the accounts are those of a mnemonic that everybody knows. */
  isTestMnemonic: boolean
  chainId: bigint
  /** Of the live chain; `undefined` where nothing is forked. */
  upstreamChainId: bigint | undefined
}

/** Warns of signatures that are valid on a public chain, once for each account and chain; not of accounts that everybody has. */
export function createSignatureNotice(
  { isTestMnemonic, chainId, upstreamChainId }: Options,
  { logger }: { logger: Logger },
): SignatureNotice {
  const told = new Set<string>()
  const isPublic = (id: bigint) => publicChains.has(id) || (id === upstreamChainId && !localChains.includes(id))
  return (account, given = chainId) => {
    const name = `${account} ${given}`
    if (isTestMnemonic || !isPublic(given) || told.has(name)) return
    told.add(name)
    logger.warn(
      { account, chainId: given },
      'Signed with an account of your own mnemonic for a public chain, where the signature is valid too. --chain-id gives the network an id of its own',
    )
  }
}
