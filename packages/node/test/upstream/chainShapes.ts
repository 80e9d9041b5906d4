import type { ChainShape } from '@understudy/testkit'

type Raw = Record<string, unknown>

const word = (digit: string) => `0x${digit.repeat(64)}`
const without = (raw: Raw, ...names: string[]) =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))

/** Fields that chains with headers like those of London leave out. */
const laterFields = [
  'withdrawals',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
]

const figure = (value: bigint) => value.toString(16).padStart(16, '0')

/** The number of the block of L1 that a block of this Arbitrum stands on. */
export const l1NumberOf = (number: bigint) => 0x15ab2c1n + number

/** Nitro's headers: the mix hash has the count of sends to L1, the number of the block of L1, and the version of ArbOS. */
export function arbitrumBlock(raw: Raw): Raw {
  const l1Number = l1NumberOf(BigInt(String(raw.number)))
  return {
    ...without(raw, ...laterFields),
    difficulty: '0x1',
    extraData: word('a'),
    gasLimit: '0x4000000000000',
    mixHash: `0x${figure(0x2c6b7n)}${figure(l1Number)}${figure(40n)}${figure(0n)}`,
    l1BlockNumber: `0x${l1Number.toString(16)}`,
    sendCount: '0x2c6b7',
    sendRoot: word('a'),
  }
}

type Answer = NonNullable<ChainShape['answer']>

export const isProbe = ({ method, params }: Parameters<Answer>[0]): boolean =>
  method === 'eth_call' && params?.length === 3

/** Nodes that take no code in a call. */
export const refusesProbe: Answer = (call) =>
  isProbe(call) ? { error: { code: -32602, message: 'too many arguments, want at most 2' } } : undefined

export type NamedShape = ChainShape & { name: string; symbol: string; stack: string; hardfork: string }

const unlike = ['eth_config', 'eth_getBlockAccessList']

/**
 * Chains as their nodes show them: Arbitrum (docs.arbitrum.io, nitro's JSON of headers), Polygon (bor), BNB Smart Chain
 * (bsc), Avalanche (coreth), Gnosis, Linea, Scroll (l2geth), Base, OP Mainnet and Celo (op-geth).
 */
export const chainShapes: readonly NamedShape[] = [
  {
    name: 'Arbitrum One',
    symbol: 'ETH',
    stack: 'arbitrum',
    hardfork: 'prague',
    anvil: { chainId: 42161, hardfork: 'prague' },
    missing: unlike,
    block: arbitrumBlock,
  },
  {
    name: 'Polygon',
    symbol: 'POL',
    stack: 'ethereum',
    hardfork: 'prague',
    anvil: { chainId: 137, hardfork: 'prague' },
    missing: unlike,
    block: (raw) => ({ ...without(raw, ...laterFields), difficulty: '0x15', totalDifficulty: '0x6d0a1d3f' }),
  },
  {
    name: 'Scroll',
    symbol: 'ETH',
    stack: 'ethereum',
    hardfork: 'cancun',
    anvil: { chainId: 534352, hardfork: 'cancun' },
    missing: unlike,
    block: (raw) => ({ ...without(raw, ...laterFields), difficulty: '0x1', totalDifficulty: '0xe6a7d2' }),
  },
  {
    name: 'Base',
    symbol: 'ETH',
    stack: 'optimism',
    hardfork: 'prague',
    anvil: { chainId: 8453, args: ['--network', 'optimism', '--hardfork', 'isthmus'] },
    missing: unlike,
    block: (raw) => ({ ...raw, extraData: '0x00000000fa00000006', withdrawals: [], withdrawalsRoot: word('b') }),
  },
  {
    name: 'OP Mainnet',
    symbol: 'ETH',
    stack: 'optimism',
    hardfork: 'prague',
    anvil: { chainId: 10, args: ['--network', 'optimism', '--hardfork', 'isthmus'] },
    missing: unlike,
    block: (raw) => ({ ...raw, extraData: '0x01000000fa000000060000000000000001', withdrawalsRoot: word('b') }),
  },
  {
    name: 'Celo',
    symbol: 'CELO',
    stack: 'optimism',
    hardfork: 'prague',
    anvil: { chainId: 42220, args: ['--network', 'optimism', '--hardfork', 'isthmus'] },
    missing: unlike,
    block: (raw) => ({ ...raw, extraData: '0x00000000fa00000006', withdrawalsRoot: word('b') }),
  },
  {
    name: 'BNB Smart Chain',
    symbol: 'BNB',
    stack: 'ethereum',
    hardfork: 'osaka',
    anvil: { chainId: 56, hardfork: 'osaka' },
    missing: unlike,
    block: (raw) => ({
      ...raw,
      difficulty: '0x2',
      baseFeePerGas: '0x0',
      milliTimestamp: `0x${(BigInt(String(raw.timestamp)) * 1000n).toString(16)}`,
    }),
  },
  {
    name: 'Avalanche',
    symbol: 'AVAX',
    stack: 'ethereum',
    hardfork: 'cancun',
    anvil: { chainId: 43114, hardfork: 'cancun' },
    missing: unlike,
    block: (raw) => ({
      ...without(raw, 'withdrawals', 'withdrawalsRoot', 'requestsHash'),
      difficulty: '0x1',
      extraData: `0x${'00'.repeat(24)}`,
      blockGasCost: '0x0',
      extDataGasUsed: '0x0',
      extDataHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    }),
  },
  {
    name: 'Gnosis',
    symbol: 'XDAI',
    stack: 'ethereum',
    hardfork: 'prague',
    anvil: { chainId: 100, hardfork: 'prague' },
  },
  {
    name: 'Linea Mainnet',
    symbol: 'ETH',
    stack: 'ethereum',
    hardfork: 'osaka',
    anvil: { chainId: 59144, hardfork: 'osaka' },
    missing: unlike,
    block: (raw) => ({ ...without(raw, ...laterFields), baseFeePerGas: '0x7', difficulty: '0x2' }),
  },
]
