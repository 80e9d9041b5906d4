import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

const require = createRequire(import.meta.url)
const hardhat = createRequire(new URL('../hardhat3/open.mjs', import.meta.url))

/**
 * Hardhat 3 with its own simulated network in this process, on a project that it compiles in `directory`. It uses the
 * installation in `clients/hardhat3`, and the compilers and the binary of the network that are installed here.
 *
 * @param {{
 *   directory: string, contracts: string, packages: string, npmFilesToBuild: string[],
 *   compilers: { version: string, settings: object }[],
 * }} project `packages`: the folder of npm's packages from which contracts import.
 */
export async function openSimulator({ directory, contracts, packages, npmFilesToBuild, compilers }) {
  mkdirSync(directory, { recursive: true })
  cpSync(contracts, join(directory, 'contracts'), { recursive: true })
  symlinkSync(packages, join(directory, 'node_modules'))
  const pathOf = (version) =>
    hardhat('solc/package.json').version === version
      ? hardhat.resolve('solc/soljson.js')
      : require.resolve(`solc-${version}/soljson.js`)
  const solidity = {
    npmFilesToBuild,
    compilers: compilers.map((compiler) => ({ ...compiler, path: pathOf(compiler.version) })),
  }
  const hre = await openHardhat(directory, { solidity }, { allowUnlimitedContractSize: true })
  await hre.tasks.getTask('compile').run({ quiet: true })
  return connectTo(hre)
}

/**
 * Its simulated network without contracts.
 *
 * @param {string} directory
 * @param {object} options Those of the network.
 */
export async function openSimulatedNetwork(directory, options = {}) {
  mkdirSync(directory, { recursive: true })
  return connectTo(await openHardhat(directory, {}, options))
}

async function openHardhat(directory, config, options) {
  // Its binary is published for Node.js 22, and works on older versions.
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = require.resolve('@nomicfoundation/edr-linux-x64-gnu')
  await import(hardhat.resolve('core-js/actual/iterator/index.js'))
  const { createHardhatRuntimeEnvironment } = await import(hardhat.resolve('hardhat/hre'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  const networks = { simulator: { type: 'edr-simulated', ...options } }
  return createHardhatRuntimeEnvironment({ ...config, networks }, { network: 'simulator' }, directory)
}

async function connectTo(hre) {
  const { provider, close } = await hre.network.connect()
  return {
    /** Throws errors that have a `stackTrace`, the outermost entry first. */
    request: (method, params) => provider.request({ method, params }),
    close: () => close?.(),
  }
}
