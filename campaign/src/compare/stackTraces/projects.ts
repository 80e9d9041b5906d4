import { deployed, failures } from './mixed.ts'
import type { Compilation, Project } from './project.ts'
import { uniswapV4 } from './uniswapV4.ts'

const optimiser = { optimizer: { enabled: true, runs: 200 } }

/** Uniswap's older contracts need old compilers. */
const compilation = (name: string, version: string, settings: object, oldSettings: object): Compilation => ({
  name,
  compilers: [
    ...['0.5.16', '0.7.6'].map((old) => ({ version: old, settings: oldSettings })),
    // The router of Uniswap V2 is too large for a contract without the optimiser.
    { version: '0.6.6', settings: optimiser },
    { version, settings },
  ],
})

const mixed: Project = {
  folder: 'mixed',
  packages: 'node_modules',
  npmFilesToBuild: [
    '@uniswap/v2-core/contracts/UniswapV2Factory.sol',
    '@uniswap/v2-core/contracts/UniswapV2Pair.sol',
    '@uniswap/v2-periphery/contracts/UniswapV2Router02.sol',
  ],
  compilations: [
    compilation('without the optimiser', '0.8.24', { evmVersion: 'cancun' }, {}),
    compilation('with the optimiser', '0.8.28', optimiser, optimiser),
    compilation('through Yul, optimised', '0.8.37', { ...optimiser, viaIR: true }, optimiser),
  ],
  deployed,
  failures,
}

export const projects: readonly Project[] = [mixed, uniswapV4]
