import { expect, it } from 'vitest'
import { contractFrom } from './artifacts.ts'

const abi = [{ type: 'function', name: 'number', inputs: [], outputs: [], stateMutability: 'view' }]

it('reads an artifact of Hardhat', () => {
  const artifact = {
    contractName: 'Counter',
    sourceName: 'contracts/Counter.sol',
    abi,
    bytecode: '0x6001',
    deployedBytecode: '0x6002',
    linkReferences: {},
    deployedLinkReferences: {},
  }
  expect(contractFrom('artifacts/contracts/Counter.sol/Counter.json', JSON.stringify(artifact))).toEqual({
    name: 'Counter',
    abi: JSON.stringify(abi),
    bytecode: '0x6002',
    creationBytecode: '0x6001',
    deployedBytecode: '0x6002',
    sourcePath: 'contracts/Counter.sol',
    bytecodeLinkReferences: {},
    deployedBytecodeLinkReferences: {},
  })
})

it('reads an artifact of Foundry, with its storage layout', () => {
  const artifact = {
    abi,
    bytecode: { object: '0x6001', linkReferences: { a: 1 } },
    deployedBytecode: { object: '0x6002', linkReferences: { b: 1 } },
    metadata: { settings: { compilationTarget: { 'src/Counter.sol': 'Counter' } } },
    storageLayout: { storage: [] },
  }
  expect(contractFrom('out/Counter.sol/Counter.0.8.30.json', JSON.stringify(artifact))).toMatchObject({
    name: 'Counter',
    sourcePath: 'src/Counter.sol',
    storageLayout: { storage: [] },
    bytecodeLinkReferences: { a: 1 },
    deployedBytecodeLinkReferences: { b: 1 },
  })
})

it('leaves other files alone', () => {
  expect(['{', '[]', '{"id":"build-info"}', '{"abi":[]}'].map((text) => contractFrom('x.json', text))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
