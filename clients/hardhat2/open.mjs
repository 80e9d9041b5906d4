import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

const require = createRequire(import.meta.url)

/**
 * Hardhat 2 with its helpers and its verification in this process, on the contracts in `directory/contracts` and the network at
 * `url`. Once in a process: Hardhat 2 is a singleton. The compiler is the one of npm; storage layouts are asked of it.
 *
 * @param {{ directory: string, url: string, chainId: number }} project
 */
export function openHardhat({ directory, url, chainId }) {
  mkdirSync(directory, { recursive: true })
  const compilerPath = require.resolve('solc/soljson.js')
  const longVersion = require('solc').version().replace('.Emscripten.clang', '')
  const [version] = longVersion.split('+')
  const config = {
    solidity: {
      version,
      settings: { outputSelection: { '*': { '*': ['storageLayout'] } } },
    },
    networks: { understudy: { url } },
    etherscan: {
      apiKey: { understudy: 'any' },
      customChains: [{ network: 'understudy', chainId, urls: { apiURL: `${url}/api`, browserURL: url } }],
    },
    sourcify: { enabled: false },
  }
  const path = join(directory, 'hardhat.config.cjs')
  writeFileSync(
    path,
    `require(${JSON.stringify(require.resolve('@nomicfoundation/hardhat-verify'))})
const { subtask } = require(${JSON.stringify(require.resolve('hardhat/config'))})
subtask('compile:solidity:solc:get-build', async () => (${JSON.stringify({ compilerPath, isSolcJs: true, version, longVersion })}))
module.exports = ${JSON.stringify(config)}
`,
  )
  process.env.HARDHAT_CONFIG = path
  process.env.HARDHAT_NETWORK = 'understudy'
  const hre = require('hardhat')
  return {
    helpers: require('@nomicfoundation/hardhat-network-helpers'),
    compile: () => hre.run('compile', { quiet: true }),
    /** Its plugin speaks the first version of Sourcify's API only: it verifies by Etherscan's. */
    verify: (address, constructorArguments) => hre.run('verify:verify', { address, constructorArguments }),
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
