import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { deployContract, deployUniswapV2, deployUniswapV3, postJsonRpc, requireSuccess } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ImportResult, localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const require = createRequire(import.meta.url)

/** A library that has to be linked, a contract with immutables and constructor arguments, and a factory that uses CREATE2. */
const ledgerSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ILedger { function put(uint256 value) external; }
abstract contract Owned { address public immutable owner; constructor(address owner_) { owner = owner_; } }

library Tally {
    function add(uint256[] storage list, uint256 value) external { list.push(value); }
    function sum(uint256[] memory list) external pure returns (uint256 total) {
        for (uint256 i = 0; i < list.length; i++) total += list[i];
    }
}

contract Ledger is ILedger, Owned {
    uint256 public immutable limit;
    string public title;
    uint256[] private entries;
    constructor(uint256 limit_, string memory title_) Owned(msg.sender) { limit = limit_; title = title_; }
    function put(uint256 value) external { require(value <= limit, "above the limit"); Tally.add(entries, value); }
    function total() external view returns (uint256) { return Tally.sum(entries); }
}

contract LedgerFactory {
    event Made(Ledger ledger);
    function make(bytes32 salt, uint256 limit) external returns (Ledger ledger) {
        ledger = new Ledger{salt: salt}(limit, "made");
        emit Made(ledger);
    }
}
`

type Compiled = {
  abi: Abi
  storageLayout: unknown
  evm: Record<'bytecode' | 'deployedBytecode', { object: string; linkReferences: unknown }>
}

/** `comment` changes the source, and so only the hash of the metadata. */
function compileLedger(comment = ''): Record<string, Compiled> {
  const input = {
    language: 'Solidity',
    sources: { 'src/Ledger.sol': { content: ledgerSource + comment } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  }
  return JSON.parse(require('solc').compile(JSON.stringify(input))).contracts['src/Ledger.sol']
}

/** Writes what `forge build --extra-output storageLayout` writes: out/Ledger.sol/NAME.json. */
function writeFoundryOut(contracts: Record<string, Compiled>): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'foundry-')), 'out')
  for (const [name, { abi, evm, storageLayout }] of Object.entries(contracts)) {
    const code = ({ object, linkReferences }: Compiled['evm']['bytecode']) => ({
      object: `0x${object}`,
      sourceMap: '',
      linkReferences,
    })
    writeJson(join(folder, 'Ledger.sol', `${name}.json`), {
      abi,
      bytecode: code(evm.bytecode),
      deployedBytecode: code(evm.deployedBytecode),
      methodIdentifiers: {},
      rawMetadata: '{}',
      storageLayout,
      id: 0,
    })
  }
  return folder
}

/** Writes what Hardhat 3 writes: artifacts/contracts/Ledger.sol/NAME.json. */
function writeHardhat3Artifacts(contracts: Record<string, Compiled>): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'hardhat-')), 'artifacts')
  for (const [contractName, { abi, evm }] of Object.entries(contracts))
    writeJson(join(folder, 'contracts', 'Ledger.sol', `${contractName}.json`), {
      _format: 'hh3-artifact-1',
      contractName,
      sourceName: 'contracts/Ledger.sol',
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      linkReferences: evm.bytecode.linkReferences,
      deployedLinkReferences: evm.deployedBytecode.linkReferences,
      immutableReferences: {},
      inputSourceName: 'project/contracts/Ledger.sol',
      buildInfoId: 'solc-0_8_37-0000000000000000000000000000000000000000',
    })
  return folder
}

function writeJson(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

/** Reads every artifact below a folder, of any tool, as what is to be pushed. Names are unique by the path before them. */
function readProject(folder: string) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
  const text = (code: unknown) => {
    const { object } = code as { object?: string }
    const hex = object ?? (code as string)
    return hex.startsWith('0x') ? hex : `0x${hex}`
  }
  return paths.flatMap((path) => {
    const artifact = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    if (!Array.isArray(artifact.abi)) return []
    const { bytecode = artifact.evm?.bytecode, deployedBytecode = artifact.evm?.deployedBytecode } = artifact
    if (bytecode === undefined || deployedBytecode === undefined) return []
    const name = `${path.replace(/\.json$/, '')}`
    return localContract(name, {
      abi: artifact.abi,
      bytecode: text(bytecode),
      deployedBytecode: text(deployedBytecode),
      linkReferences: artifact.linkReferences ?? bytecode.linkReferences,
      deployedLinkReferences: artifact.deployedLinkReferences ?? deployedBytecode.linkReferences,
      storageLayout: artifact.storageLayout,
    })
  })
}

const packageFolder = (name: string) => dirname(require.resolve(`${name}/package.json`))

describe('projects as their tools leave them', () => {
  let network: TestNetwork
  /** Without a client that would print a whole project when it is refused. */
  const push = (contracts: unknown[]) => postJsonRpc<ImportResult>(network.url, 'dev_importContracts', [{ contracts }])
  type Deployment = { address: string; constructorArgs: { value: unknown }[] | null }
  const deployments = async () => {
    const imported = await network.rpc<{ name: string; deployments: Deployment[] }[]>('dev_getImportedContracts')
    return imported.flatMap(({ name, deployments }) =>
      deployments.map((deployment) => ({ name: basename(name), ...deployment })),
    )
  }
  const deployed = async () => (await deployments()).map(({ name, address }) => [name, address])

  /** Deploys the ledger by a transaction, linked to a library, and another by the factory; puts 3 entries. */
  async function deployLedgers(contracts: Record<string, Compiled>) {
    const { client } = network
    const { Tally, Ledger, LedgerFactory } = contracts as Record<'Tally' | 'Ledger' | 'LedgerFactory', Compiled>
    const create = async (compiled: Compiled, library: Address | undefined, args: unknown[] = []) => {
      const bytecode: Hex = `0x${compiled.evm.bytecode.object.replace(/__\$\w{34}\$__/g, library?.slice(2) ?? '')}`
      return deployContract(client, { abi: compiled.abi, bytecode }, args as never)
    }
    const tally = await create(Tally, undefined)
    const ledger = await create(Ledger, tally, [100n, 'by hand'])
    const factory = await create(LedgerFactory, tally)
    const send = async (to: Address, abi: Abi, functionName: string, args: unknown[]) =>
      requireSuccess(
        client,
        await client.sendTransaction({ to, data: encodeFunctionData({ abi, functionName, args }) }),
      )
    const { logs } = await send(factory, LedgerFactory.abi, 'make', [pad('0x1'), 50n])
    const made: Address = `0x${logs[0]?.data.slice(26)}`
    for (const value of [1n, 2n]) await send(ledger, Ledger.abi, 'put', [value])
    await send(made, Ledger.abi, 'put', [3n])
    return { tally, ledger, factory, made }
  }

  beforeEach(async () => {
    network = await startNetwork()
  })
  afterEach(() => network.stop())

  it('takes a Foundry out/ and recognises what is deployed later: linked, with immutables, and by CREATE2', async () => {
    const contracts = compileLedger()
    const { contracts: pushed, linkedDeployments } = await push(readProject(writeFoundryOut(contracts)))
    expect(pushed.map(({ name, status }) => [basename(name), status]).sort()).toEqual(
      ['ILedger', 'Ledger', 'LedgerFactory', 'Owned', 'Tally'].map((name) => [name, 'created']),
    )
    expect(linkedDeployments).toEqual([])
    const { tally, ledger, factory, made } = await deployLedgers(contracts)
    expect(Object.fromEntries((await deployed()).map(([name, address]) => [address, name]))).toEqual({
      [tally]: 'Tally',
      [ledger]: 'Ledger',
      [factory]: 'LedgerFactory',
      [made]: 'Ledger',
    })
    const args = (await deployments())
      .filter(({ name }) => name === 'Ledger')
      .map(({ constructorArgs }) => constructorArgs?.map(({ value }) => value))
    expect(args.sort()).toEqual([
      ['100', 'by hand'],
      ['50', 'made'],
    ])
  })

  it('takes the artifacts/ of Hardhat 3 and finds what was deployed before, compiled from a source with another comment', async () => {
    const { tally, ledger, factory, made } = await deployLedgers(compileLedger('// another comment'))
    const { linkedDeployments } = await push(readProject(writeHardhat3Artifacts(compileLedger())))
    expect(
      Object.fromEntries(
        linkedDeployments.map(({ name, address, backfilledCalls }) => [address, [basename(name), backfilledCalls]]),
      ),
    ).toEqual({
      // A library's functions with storage pointers have selectors that its ABI does not give away.
      [tally]: ['Tally', 0],
      [ledger]: ['Ledger', 2],
      [factory]: ['LedgerFactory', 1],
      [made]: ['Ledger', 1],
    })
  })

  it('takes the npm packages of OpenZeppelin and Uniswap whole, and recognises their deployments', async () => {
    const folders = [
      ['@openzeppelin/contracts', 'build/contracts'],
      ['@uniswap/v2-core', 'build'],
      ['@uniswap/v2-periphery', 'build'],
      ['@uniswap/v3-core', 'artifacts'],
      ['@uniswap/v3-periphery', 'artifacts'],
    ] as const
    const before = await deployUniswapV2(network.client)
    const project = folders.flatMap(([name, folder]) =>
      readProject(join(packageFolder(name), folder)).map((contract) => ({
        ...contract,
        name: `${name}/${contract.name}`,
      })),
    )
    const { contracts, linkedDeployments } = await push(project)
    expect(contracts).toHaveLength(project.length)
    expect(contracts.length).toBeGreaterThan(350)
    const linked = new Map(linkedDeployments.map(({ address, name }) => [address, basename(name)]))
    expect(
      [before.factory, before.router, before.pair, before.weth].map((address) => linked.get(address.toLowerCase())),
    ).toEqual(['UniswapV2Factory', 'UniswapV2Router02', 'UniswapV2Pair', 'WETH9'])
    const after = await deployUniswapV3(network.client)
    const names = new Map((await deployed()).map(([name, address]) => [address, name]))
    expect([after.factory, after.pool].map((address) => names.get(address.toLowerCase()))).toEqual([
      'UniswapV3Factory',
      'UniswapV3Pool',
    ])
    expect((await push(project)).contracts.every(({ status }) => status === 'unchanged')).toBe(true)
  }, 120_000)
})
