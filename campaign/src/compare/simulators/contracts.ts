import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

type Solc = { compile(input: string): string; version(): string }

const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'shanghai' }

/** A contract of `campaign/contracts/simulators`, and all that a verification of it needs. */
export type Compiled = {
  abi: Abi
  bytecode: Hex
  contractToVerify: string
  /** As `v0.8.37`. */
  version: string
  sources: Record<string, { content: string }>
  settings: object
  /** What `dev_importContracts` takes. */
  imported: object
}

/** `treasury` pays grants of a token, `payloads` executes lists of calls, as Aave's governance does. */
export type Contracts = Record<'treasury' | 'payloads', Compiled>

export function compileContracts(): Contracts {
  const solc = require('solc') as Solc
  return { treasury: compile(solc, 'Treasury'), payloads: compile(solc, 'Payloads') }
}

function compile(solc: Solc, name: string): Compiled {
  const path = `${name}.sol`
  const content = readFileSync(new URL(`../../../contracts/simulators/${path}`, import.meta.url), 'utf8')
  const sources = { [path]: { content } }
  const outputSelection = {
    '*': { '*': ['abi', 'storageLayout', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
  }
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const contract = output.contracts?.[path]?.[name]
  if (contract === undefined) throw new Error(JSON.stringify(output.errors))
  const { abi, evm, storageLayout } = contract
  const creationBytecode: Hex = `0x${evm.bytecode.object}`
  return {
    abi,
    bytecode: creationBytecode,
    contractToVerify: `${path}:${name}`,
    version: `v${solc.version().split('+')[0]}`,
    sources,
    settings,
    imported: {
      ...{ name, abi: JSON.stringify(abi), bytecode: `0x${evm.deployedBytecode.object}`, creationBytecode },
      ...{ storageLayout, source: content, sourcePath: path },
    },
  }
}
