import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/**
 * Hardhat 3 with its helpers, its verification and Ignition in this process, on the contracts in `directory/contracts` and the
 * network at `url`. The compiler is the one of npm; storage layouts are asked of it.
 *
 * Its command line wants Node.js 22. The library runs on older ones when these have the methods of iterators.
 *
 * @param {{ directory: string, url: string, chainId: number }} project
 */
export async function openHardhat({ directory, url, chainId }) {
  await import('core-js/actual/iterator/index.js')
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = fileURLToPath(new URL('withoutSimulator.cjs', import.meta.url))
  const { createHardhatRuntimeEnvironment } = await import('hardhat/hre')
  const { verifyContract } = await import('@nomicfoundation/hardhat-verify/verify')
  const plugins = await Promise.all([
    import('@nomicfoundation/hardhat-network-helpers'),
    import('@nomicfoundation/hardhat-verify'),
    import('@nomicfoundation/hardhat-ignition'),
  ])
  mkdirSync(directory, { recursive: true })
  // A module of Ignition imports Ignition.
  symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  const [version] = require('solc').version().split('+')
  const compiler = {
    version,
    path: require.resolve('solc/soljson.js'),
    settings: { outputSelection: { '*': { '*': ['storageLayout'] } } },
  }
  const config = {
    plugins: plugins.map((plugin) => plugin.default),
    solidity: { profiles: { default: compiler, production: compiler } },
    networks: { understudy: { type: 'http', url } },
    chainDescriptors: {
      [chainId]: {
        name: 'Understudy',
        blockExplorers: { etherscan: { name: 'Understudy', url, apiUrl: `${url}/api` } },
      },
    },
    verify: { etherscan: { apiKey: 'any' }, sourcify: { apiUrl: `${url}/sourcify` } },
  }
  const hre = await createHardhatRuntimeEnvironment(config, { network: 'understudy' }, directory)
  const { networkHelpers } = await hre.network.connect()
  return {
    helpers: networkHelpers,
    compile: () => hre.tasks.getTask('compile').run({ quiet: true, defaultBuildProfile: 'production' }),
    verify: (address, constructorArgs, provider) => verifyContract({ address, constructorArgs, provider }, hre),
    deploy: (modulePath, { reset }) => {
      // Ignition asks a person before it sends to a chain other than 31337, and before it forgets a deployment.
      for (const question of ['DEPLOYMENT', 'RESET']) process.env[`HARDHAT_IGNITION_CONFIRM_${question}`] = 'true'
      return hre.tasks.getTask(['ignition', 'deploy']).run({ modulePath: join(directory, modulePath), reset })
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
