import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, numberToHex, toEventSelector } from 'viem'
import { sameAddress, shorten } from '../../../format/hash.ts'
import { functionsOf, selectorOf, signatureOf } from '../../../lib/abi/functions.ts'
import { commonName } from '../../../lib/abi/selectors.ts'
import type { RpcFullBlock } from '../../../lib/chain/block.ts'
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
/** Recent blocks whose tokens are found: those of this network are indexed, and others are read from the live chain. */
const localBlocks = 1000
const liveBlocks = 3
const tokenLimit = 30
const calledLimit = 100

type CalledFunction = Extract<Named, { selector: string }>

/** Everything that has a name; loaded once somebody searches. */
export function useNamed(isWanted: boolean) {
  return useQuery({ ...namedQuery, enabled: isWanted })
}

export const namedQuery = { queryKey: ['network', 'named'], queryFn: loadNamed }

async function loadNamed(): Promise<Named[]> {
  const [workspaces, imported, tracked, accounts, tokens, called] = await Promise.all([
    rpc('dev_getWorkspaces'),
    rpc('dev_getImportedContracts'),
    rpc('dev_getTrackedData'),
    rpc<string[]>('eth_accounts'),
    loadTokens(),
    loadCalled(),
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
    // The functions of workspaces have their signatures.
    ...called.filter((one) => !contracts.some(({ address }) => sameAddress(address, one.address))),
  ]
}

/** Recent blocks whose transactions are found by what they call: the newest, and those before the fork. */
const calledBlocks = 5

/** Well-known functions that transactions called lately, without the ABI of the contract. */
async function loadCalled(): Promise<CalledFunction[]> {
  const { head, origin } = await rpc('dev_getNetworkInfo')
  const numbers = new Set<number>()
  for (const top of [head.number, origin.number])
    for (let number = top; number > top - calledBlocks && number >= 0; number--) numbers.add(number)
  const blocks = await Promise.all(
    [...numbers].map((number) =>
      rpc<RpcFullBlock | null>('eth_getBlockByNumber', numberToHex(number), true).catch(() => null),
    ),
  )
  const found = new Map<string, CalledFunction>()
  for (const { to, input } of blocks.flatMap((block) => block?.transactions ?? [])) {
    const selector = input.slice(0, 10)
    const name = commonName(selector)
    if (to && name)
      found.set(to + selector, { kind: 'function', contract: shorten(to), address: to, name: `${name}(…)`, selector })
  }
  return [...found.values()].slice(0, calledLimit)
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

/** The tokens that moved lately: on this network, and on the live chain before the fork. */
async function loadTokens(): Promise<Named[]> {
  const { head, origin, upstream } = await rpc('dev_getNetworkInfo')
  const local = loadTransfers(Math.max(origin.number + 1, head.number - localBlocks), head.number)
  const live = upstream ? loadTransfers(Math.max(0, origin.number - liveBlocks), origin.number) : []
  const logs = (await Promise.all([local, live])).flat()
  const addresses = [...new Set(logs.map(({ address }) => address))].slice(0, tokenLimit)
  const tokens = await Promise.all(addresses.map(loadToken))
  return tokens.flatMap((token): Named[] =>
    token ? [{ kind: 'token', address: token.address, name: `${token.name} (${token.symbol})` }] : [],
  )
}

async function loadTransfers(from: number, to: number): Promise<{ address: Address }[]> {
  if (from > to) return []
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to), topics: [transferTopic] }
  return rpc<{ address: Address }[]>('eth_getLogs', range).catch(() => [])
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
