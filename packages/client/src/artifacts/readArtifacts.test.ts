import { describe, expect, it } from 'vitest'
import { readArtifacts } from './readArtifacts.ts'

const abi = [{ type: 'function', name: 'number', inputs: [], outputs: [], stateMutability: 'view' }]
const layout = (slot: string) => ({ storage: [{ label: 'number', slot }], types: {} })

const hardhat = (name: string, source: string, rest = {}) =>
  JSON.stringify({
    contractName: name,
    sourceName: source,
    abi,
    bytecode: '0x6001',
    deployedBytecode: '0x6002',
    ...rest,
  })
const foundry = (target: Record<string, string>, rest = {}) =>
  JSON.stringify({
    abi,
    bytecode: { object: '0x6001', linkReferences: { a: {} } },
    deployedBytecode: { object: '0x6002', linkReferences: { b: {} } },
    metadata: { settings: { compilationTarget: target } },
    ...rest,
  })
const code = { abi: JSON.stringify(abi), bytecode: '0x6002', deployedBytecode: '0x6002', creationBytecode: '0x6001' }

const read = (texts: Record<string, string>, storageLayouts = true) =>
  readArtifacts({ paths: Object.keys(texts), read: async (path) => texts[path] }, { storageLayouts })

describe('reading artifacts', () => {
  it('reads those of Foundry, with their storage layouts and sources', async () => {
    const storageLayout = layout('1')
    const texts = {
      'out/Counter.sol/Counter.0.8.30.json': foundry({ 'src/Counter.sol': 'Counter' }, { storageLayout }),
      'src/Counter.sol': 'contract Counter {}',
    }
    expect(await read(texts)).toEqual([
      {
        ...code,
        name: 'Counter',
        sourcePath: 'src/Counter.sol',
        source: 'contract Counter {}',
        storageLayout,
        bytecodeLinkReferences: { a: {} },
        deployedBytecodeLinkReferences: { b: {} },
      },
    ])
    expect(await read(texts, false)).toMatchObject([{ name: 'Counter', storageLayout: undefined }])
  })

  it('reads those of Hardhat 2, with what its build info holds', async () => {
    const sourcePath = 'contracts/Counter.sol'
    const input = { sources: { [sourcePath]: { content: 'contract Counter {}' } } }
    const output = { contracts: { [sourcePath]: { Counter: { storageLayout: layout('2') } } } }
    const folder = 'artifacts/contracts/Counter.sol'
    const references = { linkReferences: {}, deployedLinkReferences: {} }
    const contracts = await read({
      [`${folder}/Counter.json`]: hardhat('Counter', sourcePath, references),
      [`${folder}/Counter.dbg.json`]: JSON.stringify({ buildInfo: '../../build-info/ab.json' }),
      'artifacts/build-info/ab.json': JSON.stringify({ input, output }),
    })
    expect(contracts).toEqual([
      {
        ...code,
        name: 'Counter',
        sourcePath,
        source: 'contract Counter {}',
        storageLayout: layout('2'),
        bytecodeLinkReferences: {},
        deployedBytecodeLinkReferences: {},
      },
    ])
  })

  it('reads those of Hardhat 3, whose compilation names sources in its own way', async () => {
    const inputSourceName = 'project/contracts/Counter.sol'
    const input = { sources: { [inputSourceName]: { content: 'contract Counter {}' } } }
    const output = { contracts: { [inputSourceName]: { Counter: { storageLayout: layout('3') } } } }
    const contracts = await read({
      'artifacts/contracts/Counter.sol/Counter.json': hardhat('Counter', 'contracts/Counter.sol', {
        inputSourceName,
        buildInfoId: 'solc-1',
      }),
      'artifacts/build-info/solc-1.json': JSON.stringify({ input }),
      'artifacts/build-info/solc-1.output.json': JSON.stringify({ output }),
    })
    expect(contracts).toMatchObject([{ source: 'contract Counter {}', storageLayout: layout('3') }])
  })

  it('leaves out interfaces, tests, scripts and their libraries', async () => {
    const empty = { bytecode: '0x', deployedBytecode: '0x' }
    const contracts = await read({
      'out/I.json': foundry({ 'src/I.sol': 'I' }, empty),
      'out/J.json': foundry({ 'src/J.sol': 'J' }, { bytecode: { object: '0x' }, deployedBytecode: { object: '' } }),
      'out/T.json': foundry({ 'test/T.t.sol': 'T' }),
      'out/S.json': foundry({ 'script/S.s.sol': 'S' }),
      'out/Vm.json': foundry({ 'lib/forge-std/src/Vm.sol': 'Vm' }),
    })
    expect(contracts).toEqual([])
  })

  it('leaves other files alone', async () => {
    const contracts = await read({
      'tsconfig.json': '{ // a comment',
      'package.json': '{}',
      'a.json': 'null',
      'abis/Token.json': JSON.stringify({ abi }),
      'cache/x.json': foundry({ 'src/X.sol': 'X' }),
      'node_modules/other/X.json': foundry({ 'src/X.sol': 'X' }),
      'out/build-info/1.json': '{',
    })
    expect(contracts).toEqual([])
  })

  it('names contracts that share a name by their sources, and those without metadata by their files', async () => {
    const contracts = await read({
      'out/A.sol/Token.json': foundry({ 'src/A.sol': 'Token' }),
      'out/B.sol/Token.json': foundry({ 'src/B.sol': 'Token' }),
      'out/C.sol/Bare.json': foundry({}, { metadata: undefined }),
    })
    expect(contracts.map(({ name }) => name)).toEqual(['src/A.sol:Token', 'src/B.sol:Token', 'Bare'])
  })
})
