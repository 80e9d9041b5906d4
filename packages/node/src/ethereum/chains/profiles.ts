import type { FeeModel } from '../fees.ts'
import { type ChainProfile, feesOfStack, type Stack } from './profile.ts'

/** The base fee follows rules that a block does not show (a fee market of its own, prices of another layer, a fixed price). */
const steady: FeeModel = { type: 'steady' }

type Row = [
  chainId: number,
  name: string,
  currency: string,
  symbol: string,
  blockTimeMs: number | undefined,
  explorer: string,
  stack: Stack,
  fees?: FeeModel,
  decimals?: number,
]

/**
 * The chains that are forked most. Names, currencies, block times and explorers are viem's (`viem/chains`, held to it by
 * profiles.test.ts), but for the block times of chains that became faster since. Stacks: the chains' own documentation. Which opcodes and precompiles a chain has is in no row: it is
 * asked, because it changes with every upgrade.
 */
const rows: readonly Row[] = [
  [1, 'Ethereum', 'Ether', 'ETH', 12000, 'https://etherscan.io', 'ethereum'],
  [11_155_111, 'Sepolia', 'Sepolia Ether', 'ETH', undefined, 'https://sepolia.etherscan.io', 'ethereum'],
  [560_048, 'Hoodi', 'Hoodi Ether', 'ETH', undefined, 'https://hoodi.etherscan.io', 'ethereum'],
  [17_000, 'Holesky', 'Holesky Ether', 'ETH', undefined, 'https://holesky.etherscan.io', 'ethereum'],
  [10, 'OP Mainnet', 'Ether', 'ETH', 2000, 'https://optimistic.etherscan.io', 'optimism'],
  [11_155_420, 'OP Sepolia', 'Sepolia Ether', 'ETH', 2000, 'https://optimism-sepolia.blockscout.com', 'optimism'],
  [8_453, 'Base', 'Ether', 'ETH', 200, 'https://basescan.org', 'optimism'],
  [84_532, 'Base Sepolia', 'Sepolia Ether', 'ETH', 200, 'https://sepolia.basescan.org', 'optimism'],
  [130, 'Unichain', 'Ether', 'ETH', 1000, 'https://uniscan.xyz', 'optimism'],
  [1_301, 'Unichain Sepolia', 'Ether', 'ETH', 1000, 'https://sepolia.uniscan.xyz', 'optimism'],
  [480, 'World Chain', 'Ether', 'ETH', 2000, 'https://worldscan.org', 'optimism'],
  [4_801, 'World Chain Sepolia', 'Ether', 'ETH', 2000, 'https://sepolia.worldscan.org', 'optimism'],
  [57_073, 'Ink', 'Ether', 'ETH', 2000, 'https://explorer.inkonchain.com', 'optimism'],
  [763_373, 'Ink Sepolia', 'Sepolia Ether', 'ETH', 2000, 'https://explorer-sepolia.inkonchain.com', 'optimism'],
  [7_777_777, 'Zora', 'Ether', 'ETH', 2000, 'https://explorer.zora.energy', 'optimism'],
  [999_999_999, 'Zora Sepolia', 'Zora Sepolia', 'ETH', 2000, 'https://sepolia.explorer.zora.energy', 'optimism'],
  [34_443, 'Mode Mainnet', 'Ether', 'ETH', 2000, 'https://modescan.io', 'optimism'],
  [919, 'Mode Testnet', 'Ether', 'ETH', 2000, 'https://sepolia.explorer.mode.network', 'optimism'],
  [1_868, 'Soneium Mainnet', 'Ether', 'ETH', 2000, 'https://soneium.blockscout.com', 'optimism'],
  [1_946, 'Soneium Minato Testnet', 'Sepolia Ether', 'ETH', 2000, 'https://soneium-minato.blockscout.com', 'optimism'],
  [42_220, 'Celo', 'CELO', 'CELO', 1000, 'https://celoscan.io', 'optimism'],
  [5_000, 'Mantle', 'MNT', 'MNT', undefined, 'https://mantlescan.xyz', 'ethereum', steady],
  [42_161, 'Arbitrum One', 'Ether', 'ETH', 250, 'https://arbiscan.io', 'arbitrum'],
  [42_170, 'Arbitrum Nova', 'Ether', 'ETH', undefined, 'https://nova.arbiscan.io', 'arbitrum'],
  [421_614, 'Arbitrum Sepolia', 'Arbitrum Sepolia Ether', 'ETH', 250, 'https://sepolia.arbiscan.io', 'arbitrum'],
  [137, 'Polygon', 'POL', 'POL', 2000, 'https://polygonscan.com', 'ethereum', steady],
  [80_002, 'Polygon Amoy', 'POL', 'POL', undefined, 'https://amoy.polygonscan.com', 'ethereum', steady],
  [56, 'BNB Smart Chain', 'BNB', 'BNB', 450, 'https://bscscan.com', 'ethereum', steady],
  [97, 'BNB Smart Chain Testnet', 'BNB', 'tBNB', 450, 'https://testnet.bscscan.com', 'ethereum', steady],
  [100, 'Gnosis', 'xDAI', 'XDAI', 5000, 'https://gnosisscan.io', 'ethereum'],
  [43_114, 'Avalanche', 'Avalanche', 'AVAX', 1700, 'https://snowtrace.io', 'ethereum', steady],
  [59_144, 'Linea Mainnet', 'Linea Ether', 'ETH', 2000, 'https://lineascan.build', 'ethereum', steady],
  [
    59_141,
    'Linea Sepolia Testnet',
    'Linea Ether',
    'ETH',
    undefined,
    'https://sepolia.lineascan.build',
    'ethereum',
    steady,
  ],
  [534_352, 'Scroll', 'Ether', 'ETH', 3000, 'https://scrollscan.com', 'ethereum', steady],
  [534_351, 'Scroll Sepolia', 'Ether', 'ETH', undefined, 'https://sepolia.scrollscan.com', 'ethereum', steady],
  [80_094, 'Berachain', 'BERA Token', 'BERA', 2000, 'https://berascan.com', 'ethereum', steady],
  [4_663, 'Robinhood Chain', 'Ether', 'ETH', 100, 'https://robinhoodchain.blockscout.com', 'arbitrum'],
  [4_326, 'MegaETH', 'Ether', 'ETH', 1000, 'https://mega.etherscan.io', 'optimism'],
  [5_042, 'Arc', 'USDC', 'USDC', undefined, 'https://explorer.arc.io', 'ethereum', steady],
  [999, 'HyperEVM', 'HYPE', 'HYPE', undefined, 'https://hyperevmscan.io', 'ethereum', steady],
  [4_217, 'Tempo Mainnet', 'USD', 'USD', 1000, 'https://explore.tempo.xyz', 'ethereum', steady, 6],
  [146, 'Sonic', 'Sonic', 'S', 630, 'https://sonicscan.org', 'ethereum', steady],
  [143, 'Monad', 'Monad', 'MON', 400, 'https://monadscan.com', 'ethereum', steady],
  [324, 'ZKsync Era', 'Ether', 'ETH', 200, 'https://explorer.zksync.io', 'eravm'],
  [300, 'ZKsync Sepolia Testnet', 'Ether', 'ETH', 200, 'https://sepolia.explorer.zksync.io', 'eravm'],
  [2_741, 'Abstract', 'ETH', 'ETH', 200, 'https://abscan.org', 'eravm'],
  [232, 'Lens', 'GHO', 'GHO', undefined, 'https://explorer.lens.xyz', 'eravm'],
]

const profiles = new Map<number, ChainProfile>(
  rows.map(
    ([chainId, name, currency, symbol, blockTimeMs, explorer, stack, fees = feesOfStack(stack), decimals = 18]) => [
      chainId,
      { chainId, name, currency: { name: currency, symbol, decimals }, stack, fees, blockTimeMs, explorer },
    ],
  ),
)

/** What is known of a chain; `undefined` where no row names it. */
export const knownProfile = (chainId: bigint): ChainProfile | undefined => profiles.get(Number(chainId))

export const knownProfiles: readonly ChainProfile[] = [...profiles.values()]
