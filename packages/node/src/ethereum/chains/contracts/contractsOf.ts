import { type Address, type BlockContext, type HostedContracts, hostedContract, knownByText } from '@understudy/evm'
import type { Header } from '../../header.ts'
import type { ChainProfile, Stack } from '../profile.ts'
import { arbitrumContracts } from './arbitrum.ts'
import { baseContracts } from './base.ts'
import { bnbContracts, bnbTestnetContracts } from './bnb.ts'
import { celoContracts } from './celo.ts'
import type { ChainContract } from './chainContract.ts'
import { ChainContracts } from './chainContracts.ts'
import type { ContractBlock } from './contractCall.ts'
import { hyperEvmContracts } from './hyperEvm.ts'
import { monadContracts } from './monad.ts'

const ofChains: Readonly<Record<number, readonly ChainContract[]>> = {
  56: bnbContracts,
  97: bnbTestnetContracts,
  8453: baseContracts,
  84532: baseContracts,
  42220: celoContracts,
  143: monadContracts,
  999: hyperEvmContracts,
}

/** Which contracts without code a chain has: those of a profile by hand come first, then those that are known. */
export type ContractsOfChain = { chainId: number; isArbitrum: boolean; declared: readonly ChainContract[] }

export const contractsOfProfile = ({ chainId, contracts = [] }: ChainProfile, stack: Stack): ContractsOfChain => ({
  chainId,
  isArbitrum: stack === 'arbitrum',
  declared: contracts,
})

const chainLimit = 20

/** The contracts of a chain that have no code; the same ones also where a thread received the chain. */
export const contractsOf: (chain: ContractsOfChain) => ChainContracts = knownByText(
  chainLimit,
  ({ chainId, isArbitrum, declared }: ContractsOfChain) =>
    new ChainContracts([...declared, ...(ofChains[chainId] ?? []), ...(isArbitrum ? arbitrumContracts : [])]),
)

/** What the functions of a block were made of, as data. */
export type ContractsInBlock = { chain: ContractsOfChain; block: ContractBlock }

const sources = new WeakMap<HostedContracts, ContractsInBlock>()

/** What was given to `hostedContracts`; `undefined` for other functions. */
export const sourceOfHosted = (hosted: HostedContracts): ContractsInBlock | undefined => sources.get(hosted)

/** The contracts of a chain as the engine runs them in a block. */
export function hostedContracts(source: ContractsInBlock): HostedContracts {
  const { chain, block } = source
  const contracts = contractsOf(chain).at(block.timestamp)
  const hosted: HostedContracts = (call, state) => contracts.answer(call, state, block)
  sources.set(hosted, source)
  return hosted
}

/** What the machine of a block has for the contracts of a chain. */
export function contractContext(
  chain: ContractsOfChain,
  { number, timestamp, mixHash }: Header,
  { precompiles, chainId }: Pick<BlockContext, 'precompiles' | 'chainId'>,
): Pick<BlockContext, 'precompiles' | 'hostedPrefixes' | 'contracts'> {
  const { addresses, prefixes } = contractsOf(chain).at(timestamp)
  if (addresses.length + prefixes.length === 0) return {}
  const hosted = addresses.map((address): [Address, number] => [address, hostedContract])
  return {
    precompiles: new Map([...(precompiles ?? []), ...hosted]),
    ...(prefixes.length > 0 && { hostedPrefixes: prefixes }),
    contracts: hostedContracts({ chain, block: { number, timestamp, chainId, mixHash } }),
  }
}

/** Whether one of the contracts is at an address in a block. */
export const isHosted = ({ precompiles, hostedPrefixes = [] }: BlockContext, address: Address | undefined): boolean =>
  address !== undefined &&
  (precompiles?.get(address) === hostedContract ||
    (precompiles?.get(address) === undefined && hostedPrefixes.some((prefix) => address.startsWith(prefix))))
