import { artifacts } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Counter, PlainToken } = artifacts
const good = localContract('Good', PlainToken)
const counter = localContract('Counter', Counter)
const interfaceAbi = JSON.stringify(Counter.abi.filter(({ type }) => type === 'function'))

describe('imports that are refused', () => {
  let network: TestNetwork
  beforeEach(async () => {
    network = await startNetwork()
  })
  afterEach(() => network.stop())

  it.each<[what: string, contract: unknown, message: RegExp]>([
    ['an ABI that is not JSON', { ...counter, abi: '[{' }, /contracts\[1\]\.abi: contract "Counter": is not JSON/],
    [
      'an ABI that is no array',
      { ...counter, abi: '{}' },
      /contracts\[1\]\.abi: contract "Counter": .*expected an array/,
    ],
    [
      'a fragment of an unknown type',
      { ...counter, abi: '[{"type":"function","name":"f","inputs":[{"type":"uint257x"}]}]' },
      /contracts\[1\]\.abi: contract "Counter": fragment 0\.inputs\[0\]\.type: expected an ABI type, got "uint257x"/,
    ],
    [
      'a fragment without a name',
      { ...counter, abi: '[{"type":"function","inputs":[]}]' },
      /contracts\[1\]\.abi: contract "Counter": fragment 0\.name/,
    ],
    [
      'an ABI that is missing',
      { ...counter, abi: undefined },
      /contracts\[1\] \(Counter\)\.abi: expected a string, got nothing/,
    ],
    [
      'bytecode that is not hex',
      { ...counter, bytecode: '0xzz' },
      /contracts\[1\]\.bytecode: contract "Counter": is not hex/,
    ],
    ['half a byte', { ...counter, bytecode: '0x600' }, /contracts\[1\]\.bytecode: contract "Counter": is not hex/],
    [
      'creation bytecode that is not hex',
      { ...counter, creationBytecode: 'hello' },
      /contracts\[1\]\.creationBytecode: contract "Counter"/,
    ],
    [
      '"0x"',
      { ...counter, bytecode: '0x', deployedBytecode: undefined, creationBytecode: undefined },
      /contracts\[1\]\.bytecode: contract "Counter": is empty/,
    ],
    [
      'an empty creation bytecode',
      { ...counter, creationBytecode: '0x' },
      /contracts\[1\]\.creationBytecode: contract "Counter": is empty/,
    ],
    [
      'the bytecode of another contract',
      { ...counter, bytecode: PlainToken.deployedBytecode, deployedBytecode: PlainToken.deployedBytecode },
      /contracts\[1\]\.\w*[bB]ytecode: contract "Counter": belongs to another contract than the ABI/,
    ],
    [
      'a name twice',
      { ...counter, name: 'Good' },
      /contracts\[1\]\.name: contract "Good": is also the name of contracts\[0\]/,
    ],
    ['no name', { ...counter, name: '' }, /contracts\[1\]\.name/],
  ])('refuses %s, and stores nothing of the push', async (_, contract, message) => {
    await expect(network.rpc('dev_importContracts', { contracts: [good, contract] })).rejects.toMatchObject({
      code: -32602,
      details: expect.stringMatching(message),
    })
    expect(await network.rpc('dev_getImportedContracts')).toEqual([])
  })

  it('takes interfaces and abstract contracts, which never match', async () => {
    const empty = { bytecode: '0x', deployedBytecode: '0x', creationBytecode: '0x' }
    const contracts = [
      { name: 'ICounter', abi: interfaceAbi, ...empty },
      { name: 'Base', abi: counter.abi, source: 'abstract contract Base { constructor(uint256) {} }', ...empty },
    ]
    expect(await network.rpc('dev_importContracts', { contracts })).toMatchObject({
      contracts: [{ status: 'created' }, { status: 'created' }],
      linkedDeployments: [],
    })
    for (const { projectContractId } of await network.rpc<{ projectContractId: string }[]>('dev_getImportedContracts'))
      await network.rpc('dev_removeImportedContract', projectContractId)
    expect(await network.rpc('dev_getImportedContracts')).toEqual([])
    await expect(network.rpc('dev_removeImportedContract', 'pc_x')).rejects.toMatchObject({ code: -32001 })
  })

  it('takes whole builds of up to 50 MiB, and refuses what is larger', async () => {
    const post = async (megabytes: number, method = 'dev_importContracts') => {
      const contract = { ...counter, source: 'x'.repeat(megabytes * 1024 * 1024) }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [{ contracts: [contract] }] })
      const response = await fetch(network.url, { method: 'POST', body })
      return [response.status, await response.json()]
    }
    expect(await post(49)).toMatchObject([200, { result: { contracts: [{ status: 'created' }] } }])
    const tooLarge = (limit: number) => [413, { error: { code: -32005, data: { kind: 'LIMIT_EXCEEDED', limit } } }]
    expect(await post(100)).toMatchObject(tooLarge(50 * 1024 * 1024))
    expect(await post(6, 'eth_call')).toMatchObject(tooLarge(5 * 1024 * 1024))
  })
})
