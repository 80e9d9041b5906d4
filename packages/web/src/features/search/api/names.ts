import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, toEventSelector } from 'viem'
import { functionsOf, selectorOf, signatureOf } from '../../../lib/abi/functions.ts'
import { loadAbi } from '../../../lib/contracts/abi.ts'
import { loadToken } from '../../../lib/contracts/token.ts'
import { wellKnownNames } from '../../../lib/names/wellKnown.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type Named = { name: string } & (
  | { kind: 'address' | 'token'; address: string }
  | { kind: 'workspace'; id: string; address?: string }
  | { kind: 'tracked'; id: string; address: string }
  | { kind: 'function' | 'event'; contract: string; address: Address; selector: string }
)

/** Contracts whose functions are found, at most. */
const contractLimit = 40
/** Recent blocks whose tokens are found. */
const blocksOfTokens = 3n
const tokenLimit = 30

/** Everything that has a name; loaded once somebody searches. */
export function useNamed(isWanted: boolean) {
  return useQuery({ ...namedQuery, enabled: isWanted })
}

export const namedQuery = { queryKey: ['network', 'named'], queryFn: loadNamed }

async function loadNamed(): Promise<Named[]> {
  const [workspaces, imported, tracked, accounts, tokens] = await Promise.all([
    rpc('dev_getWorkspaces'),
    rpc('dev_getImportedContracts'),
    rpc('dev_getTrackedData'),
    rpc<string[]>('eth_accounts'),
    loadTokens().catch((): Named[] => []),
  ])
  const contracts = workspaces.filter(({ kind, address }) => kind !== 'wallet' && address !== null)
  const members = await Promise.all(
    contracts
      .slice(0, contractLimit)
      .map(({ name, address }) => loadMembers(name, address as Address).catch((): Named[] => [])),
  )
  return [
    ...accounts.map((address, index): Named => ({ kind: 'address', address, name: `Account ${index}` })),
    ...Object.entries(wellKnownNames).map(([address, name]): Named => ({ kind: 'address', address, name })),
    ...workspaces.map(
      ({ id, name, address }): Named => ({ kind: 'workspace', id, name, address: address ?? undefined }),
    ),
    // Deployed ones are among the workspaces.
    ...imported
      .filter(({ deployments }) => deployments.length === 0)
      .map(({ projectContractId: id, name }): Named => ({ kind: 'workspace', id, name })),
    ...tracked.map(({ id, name, address }): Named => ({ kind: 'tracked', id, name, address })),
    ...tokens,
    ...members.flat(),
  ]
}

/** The functions and events of a contract. */
async function loadMembers(contract: string, address: Address): Promise<Named[]> {
  const known = await loadAbi(address)
  const abi: Abi = known?.abi ?? []
  return [
    ...functionsOf(abi).map(
      (fn): Named => ({
        kind: 'function',
        contract,
        address,
        name: signatureOf(fn),
        selector: selectorOf(fn),
      }),
    ),
    ...abi.flatMap((item): Named[] =>
      item.type === 'event'
        ? [{ kind: 'event', contract, address, name: item.name, selector: toEventSelector(item) }]
        : [],
    ),
  ]
}

/** The tokens that moved in the latest blocks. */
async function loadTokens(): Promise<Named[]> {
  const head = BigInt(await rpc<string>('eth_blockNumber'))
  const from = head > blocksOfTokens ? head - blocksOfTokens : 0n
  const logs = await rpc<{ address: Address }[]>('eth_getLogs', {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: 'latest',
    topics: [transferTopic],
  })
  const addresses = [...new Set(logs.map(({ address }) => address))].slice(0, tokenLimit)
  const tokens = await Promise.all(addresses.map(loadToken))
  return tokens.flatMap((token): Named[] =>
    token ? [{ kind: 'token', address: token.address, name: `${token.name} (${token.symbol})` }] : [],
  )
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
