/** A project of the same contracts, compiled in another way. Uniswap's need old compilers. */
export type Compilation = {
  name: string
  compilers: { version: string; settings: object }[]
  /** The failures of which Hardhat says more, as docs/import.md explains. */
  explained: readonly string[]
}

const optimiser = { optimizer: { enabled: true, runs: 200 } }

const compilation = (
  name: string,
  version: string,
  settings: object,
  oldSettings: object,
  explained: readonly string[] = [],
): Compilation => ({
  name,
  explained,
  compilers: [
    ...['0.5.16', '0.7.6'].map((old) => ({ version: old, settings: oldSettings })),
    // The router of Uniswap V2 is too large for a contract without the optimiser.
    { version: '0.6.6', settings: optimiser },
    { version, settings },
  ],
})

export const compilations: readonly Compilation[] = [
  compilation('without the optimiser', '0.8.24', { evmVersion: 'cancun' }, {}),
  compilation('with the optimiser', '0.8.28', optimiser, optimiser),
  compilation('through Yul, optimised', '0.8.37', { ...optimiser, viaIR: true }, optimiser, [
    'OpenZeppelin: not the owner',
  ]),
]

/** Contracts of npm's packages that are compiled beside those of the folder. */
export const npmFilesToBuild = [
  '@uniswap/v2-core/contracts/UniswapV2Factory.sol',
  '@uniswap/v2-core/contracts/UniswapV2Pair.sol',
  '@uniswap/v2-periphery/contracts/UniswapV2Router02.sol',
]
