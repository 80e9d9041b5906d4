import type { Address, Hex, Word } from '@understudy/evm'
import { decodeAbiParameters } from 'viem'
import { delegationTarget } from '../../ethereum/authorization.ts'
import type { Execution, ExecutionPoint } from '../../execution/execution.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { addressFromWord, bytesFromHex, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import { loadCode, loadSlots } from '../../state/view.ts'
import { canDelegate, cloneTarget } from './proxyCode.ts'

export type ProxyKind =
  | 'eip1967'
  | 'eip1967-beacon'
  | 'eip1167'
  | 'eip1822'
  | 'zeppelinos'
  | 'safe'
  | 'diamond'
  | 'eip897'
  | 'eip7702'

/** Implementations of a proxy. */
export type ContractProxy = {
  kind: ProxyKind
  implementations: { address: Address /** For a diamond: the functions taken from this facet. */; selectors?: Hex[] }[]
}

const slots = {
  /** `keccak('eip1967.proxy.implementation') - 1` */
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  /** `keccak('eip1967.proxy.beacon') - 1` */
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  /** `keccak('PROXIABLE')`, of EIP-1822. */
  proxiable: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  /** `keccak('org.zeppelinos.proxy.implementation')`: OpenZeppelin's before EIP-1967. USDC has it. */
  zeppelinos: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  /** Where Safe's proxies store their singleton, which `masterCopy()` returns. */
  first: wordFromBigint(0n),
} as const satisfies Record<string, Word>

const selectors = { implementation: '0x5c60da1b', masterCopy: '0xa619486e', facets: '0x7a0ed627' } as const
/** Safe's proxy has about 170 bytes; in larger contracts, its selector means something else. */
const safeProxyLimit = 1_000

type Needs = { point: ExecutionPoint; execution: Pick<Execution, 'call'> }

/** Resolves a proxy in the state of a block; `undefined` if the contract is not one. */
export async function resolveProxy(address: Address, needs: Needs): Promise<ContractProxy | undefined> {
  const { view } = needs.point
  const code = await loadCode(view, address)
  const single = (kind: ProxyKind, target: Address): ContractProxy => ({ kind, implementations: [{ address: target }] })
  const cloned = cloneTarget(code)
  if (cloned) return single('eip1167', cloned)
  const delegated = delegationTarget(code)
  if (delegated) return single('eip7702', delegated)
  if (!canDelegate(code)) return undefined

  const values = await loadSlots(view, address, Object.values(slots))
  const addressIn = (slot: Word): Address | undefined => {
    const value = values.get(slot) ?? 0n
    return value > 0n && value < 2n ** 160n ? addressFromWord(wordFromBigint(value)) : undefined
  }
  const isContract = async (target: Address | undefined): Promise<boolean> =>
    target !== undefined && target !== address && (await loadCode(view, target)).length > 0

  for (const [kind, slot] of [
    ['eip1967', slots.implementation],
    ['eip1822', slots.proxiable],
    ['zeppelinos', slots.zeppelinos],
  ] as const) {
    const target = addressIn(slot)
    if (target && (await isContract(target))) return single(kind, target)
  }
  const beacon = addressIn(slots.beacon)
  if (beacon) {
    const target = await askAddress(beacon, selectors.implementation, needs)
    if (target && (await isContract(target))) return single('eip1967-beacon', target)
  }
  const singleton = code.length < safeProxyLimit ? addressIn(slots.first) : undefined
  if (singleton && (await isContract(singleton))) {
    if ((await askAddress(address, selectors.masterCopy, needs)) === singleton) return single('safe', singleton)
  }
  const facets = await askFacets(address, needs)
  if (facets) return { kind: 'diamond', implementations: facets }
  const told = await askAddress(address, selectors.implementation, needs)
  return told && (await isContract(told)) ? single('eip897', told) : undefined
}

async function ask(to: Address, data: Hex, { point, execution }: Needs): Promise<Hex | undefined> {
  try {
    const output = await execution.call({ to, data: bytesFromHex(data) }, point)
    return hexFromBytes(output)
  } catch (error) {
    // The contract does not have this function.
    if (isNetworkError(error, 'EXECUTION_REVERTED') || isNetworkError(error, 'EXECUTION_FAILED')) return undefined
    throw error
  }
}

async function askAddress(to: Address, selector: Hex, needs: Needs): Promise<Address | undefined> {
  const output = await ask(to, selector, needs)
  return output !== undefined && /^0x0{24}[\da-f]{40}$/.test(output) ? addressFromWord(output as Word) : undefined
}

const facetList = [
  {
    type: 'tuple[]',
    components: [
      { name: 'facet', type: 'address' },
      { name: 'selectors', type: 'bytes4[]' },
    ],
  },
] as const

async function askFacets(address: Address, needs: Needs): Promise<ContractProxy['implementations'] | undefined> {
  const output = await ask(address, selectors.facets, needs)
  if (output === undefined || output === '0x') return undefined
  try {
    const [facets] = decodeAbiParameters(facetList, output)
    if (facets.length === 0) return undefined
    return facets.map(({ facet, selectors }) => ({
      address: facet.toLowerCase() as Address,
      selectors: selectors.map((selector) => selector.toLowerCase() as Hex),
    }))
  } catch {
    // Another function with the same selector.
    return undefined
  }
}
