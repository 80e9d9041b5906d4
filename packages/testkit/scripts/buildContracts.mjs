import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSolidity } from '../../../tooling/build/compileSolidity.mjs'

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))

const compiled = compileSolidity({
  packageDir,
  contractsDir: join(packageDir, 'contracts'),
  outDir: join(packageDir, 'generated'),
  evmVersion: 'london',
  evmVersions: { cancun: 'cancun' },
  prebuilt: {
    UniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
    UniswapV2Pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
    UniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
    WETH9: '@uniswap/v2-periphery/build/WETH9.json',
    UniswapV3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
    UniswapV3Pool: '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
    SwapRouter: '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
    NonfungiblePositionManager:
      '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  },
})
if (compiled) console.log('Compiled the test contracts')
