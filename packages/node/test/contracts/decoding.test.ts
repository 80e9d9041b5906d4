import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { type Address, encodeFunctionData, getAddress, type Hex, pad, parseEther, zeroAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Child, Collectible, Counter, Events, Factory, PlainToken, ProxiedToken, Reverter, TokenProxy } = artifacts

type Item = { name: string; signature: string; args: { name: string; value: unknown }[] | null }
type Call = {
  depth: number
  type: string
  from: string
  to: string
  contract: string | null
  function: Item | null
  outcome: string
  halt: string | null
  returned: { value: unknown }[] | null
  revert: (Item & { reason: string }) | null
}
type Decoded = {
  status: string
  blockNumber: number | null
  contract: string | null
  contractAddress: string | null
  function: Item | null
  revert: (Item & { reason: string }) | null
  calls: Call[] | null
  events: { address: string; contract: string | null; event: Item | null }[]
  transfers: unknown[] | null
}

describe('decoding transactions', () => {
  let network: TestNetwork
  const decode = (hash: Hex) => network.rpc<Decoded>('dev_decodeTransaction', hash)
  const importAll = (contracts: Record<string, Parameters<typeof localContract>[1]>) =>
    network.rpc('dev_importContracts', {
      contracts: Object.entries(contracts).map(([name, artifact]) => localContract(name, artifact)),
    })
  const me = () => network.client.account.address
  /** Sends whatever the contract does with it: with gas of its own nothing is estimated. */
  const send = (to: Address, data: Hex) => network.client.sendTransaction({ to, data, gas: 500_000n })

  beforeEach(async () => {
    network = await startNetwork()
  })
  afterEach(() => network.stop())

  it('shows function, inner creation and event, with the best ABI that is known when it is asked', async () => {
    const factory = await deployContract(network.client, Factory)
    const salt = pad('0x07')
    const hash = await network.client.writeContract({
      address: factory,
      abi: Factory.abi,
      functionName: 'create2',
      args: [5n, salt],
      value: 3n,
    })
    const before = await decode(hash)
    expect([before.contract, before.function, before.events[0]?.event]).toEqual([null, null, null])
    await importAll({ Factory, Child })
    const after = await decode(hash)
    const child = after.calls?.[1]?.to
    expect(after).toMatchObject({
      status: 'success',
      blockNumber: 2,
      contract: 'Factory',
      function: {
        name: 'create2',
        signature: 'create2(uint256,bytes32)',
        args: [
          { name: 'number', type: 'uint256', value: '5' },
          { name: 'salt', type: 'bytes32', value: salt },
        ],
      },
      calls: [
        {
          depth: 0,
          type: 'CALL',
          from: me().toLowerCase(),
          to: factory,
          contract: 'Factory',
          value: '3',
          outcome: 'succeeded',
        },
        {
          depth: 1,
          type: 'CREATE2',
          from: factory,
          contract: 'Child',
          function: { signature: 'constructor(uint256)', args: [{ type: 'uint256', value: '5' }] },
          value: '3',
        },
      ],
      events: [
        {
          contract: 'Factory',
          event: { name: 'Created', args: [{ value: getAddress(child ?? '0x') }, { value: salt }] },
        },
      ],
      transfers: [
        { kind: 'native', token: null, from: me().toLowerCase(), to: factory, tokenId: null, amount: '3' },
        { kind: 'native', token: null, from: factory, to: child, tokenId: null, amount: '3' },
      ],
    })
    expect(after.calls?.[0]?.returned).toMatchObject([{ value: getAddress(child ?? '0x') }])
  })

  it('tells why calls failed, and which an outer call reverted', async () => {
    const reverter = await deployContract(network.client, Reverter)
    await importAll({ Reverter })
    const call = (functionName: string, args: unknown[] = []) =>
      send(reverter, encodeFunctionData({ abi: Reverter.abi, functionName, args } as never))
    const reasonOf = async (hash: Hex) => (await decode(hash)).revert?.reason
    expect(await reasonOf(await call('withReason', ['not today']))).toBe('not today')
    expect(await reasonOf(await call('withCustomError', [4n]))).toBe(`Refused(${getAddress(me())}, 4, as asked)`)
    expect(await reasonOf(await call('withPanic', [0n]))).toBe('division or modulo by zero')
    expect(await decode(await call('withNothing'))).toMatchObject({
      status: 'failed',
      revert: null,
      calls: [{ halt: null }],
    })
    expect(await decode(await call('withInvalidOpcode'))).toMatchObject({
      revert: null,
      calls: [{ halt: 'invalid opcode' }],
    })
    const inside = await decode(await call('attemptInside'))
    expect(inside.status).toBe('success')
    expect(inside.calls?.map(({ outcome, revert }) => [outcome, revert?.reason])).toEqual([
      ['succeeded', undefined],
      ['failed', 'attempt failed'],
    ])
  })

  it('reads calls and events of a proxy with the ABI of what it hands them to', async () => {
    const implementation = await deployContract(network.client, ProxiedToken)
    const initialize = encodeFunctionData({
      abi: ProxiedToken.abi,
      functionName: 'initialize',
      args: [me(), 100n],
    } as never)
    const proxy = await deployContract(network.client, TokenProxy, [implementation, initialize])
    await importAll({ ProxiedToken })
    const data = encodeFunctionData({
      abi: ProxiedToken.abi,
      functionName: 'transfer',
      args: [zeroAddress.replace(/0$/, '1'), 4n],
    } as never)
    const { calls, events, transfers } = await decode(await send(proxy, data))
    expect(calls?.map(({ type, from, to, function: item }) => [type, from, to, item?.name])).toEqual([
      ['CALL', me().toLowerCase(), proxy, 'transfer'],
      ['DELEGATECALL', proxy, implementation, 'transfer'],
    ])
    expect(events[0]).toMatchObject({ address: proxy, event: { name: 'Transfer' } })
    expect(transfers).toMatchObject([{ kind: 'erc20', token: proxy, amount: '4' }])
  })

  it('reads the events of tokens that were not imported, and of every kind of argument', async () => {
    const token = await deployContract(network.client, PlainToken, ['A', 'A', 10n])
    const hash = await network.client.writeContract({
      address: token,
      abi: PlainToken.abi,
      functionName: 'transfer',
      args: [token, 3n],
    })
    expect((await decode(hash)).events[0]?.event?.signature).toBe('Transfer(address,address,uint256)')
    const events = await deployContract(network.client, Events)
    await importAll({ Events })
    const emit = { address: events, abi: Events.abi } as const
    const dynamic = await network.client.writeContract({
      ...emit,
      functionName: 'withDynamicTopic',
      args: ['key', '0x0102', [1n, 2n]],
    })
    expect((await decode(dynamic)).events[0]?.event?.args?.map(({ value }) => value)).toEqual([
      expect.stringMatching(/^0x[\da-f]{64}$/),
      '0x0102',
      ['1', '2'],
    ])
    const hidden = await network.client.writeContract({ ...emit, functionName: 'emitHidden', args: [1n] })
    expect((await decode(hidden)).events[0]?.event).toBeNull()
  })

  it('records transfers of NFTs with their ids', async () => {
    const collectible = await deployContract(network.client, Collectible)
    const hash = await network.client.writeContract({
      address: collectible,
      abi: Collectible.abi,
      functionName: 'mint',
      args: [me()],
    })
    const { transfers } = await decode(hash)
    expect(transfers).toMatchObject([
      { kind: 'erc721', token: collectible, from: zeroAddress, tokenId: '1', amount: '1' },
    ])
  })

  it('decodes what waits in the pool, and refuses what it does not know', async () => {
    const counter = await deployContract(network.client, Counter, [0n])
    await importAll({ Counter })
    await network.rpc('evm_setAutomine', false)
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'setNumber', args: [9n] })
    const pending = await network.client.sendTransaction({ to: counter, data, gas: 100_000n })
    expect(await decode(pending)).toMatchObject({
      status: 'pending',
      blockNumber: null,
      function: { name: 'setNumber', args: [{ value: '9' }] },
      calls: null,
      events: [],
    })
    await expect(decode(pad('0x01'))).rejects.toMatchObject({ code: -32001 })
  })
})

describe('decoding the transactions of upstream', () => {
  let anvil: Anvil
  let network: TestNetwork

  beforeEach(async () => {
    anvil = await startAnvil({})
  })
  afterEach(async () => {
    await network?.stop()
    await anvil.stop()
  })

  it('reads input and events, and leaves out what this network did not execute', async () => {
    const live = await connectClient(anvil.url)
    const token = await deployContract(live, PlainToken, ['A', 'A', parseEther('1')])
    const hash = await live.writeContract({
      address: token,
      abi: PlainToken.abi,
      functionName: 'transfer',
      args: [token, 3n],
    })
    await live.waitForTransactionReceipt({ hash })
    network = await startNetwork({ forkUrls: [anvil.url] })
    await network.client.writeContract({
      address: token,
      abi: PlainToken.abi,
      functionName: 'transfer',
      args: [token, 1n],
    })
    const linked = await network.rpc('dev_importContracts', { contracts: [localContract('PlainToken', PlainToken)] })
    expect(linked).toMatchObject({ linkedDeployments: [{ name: 'PlainToken', address: token, backfilledCalls: 1 }] })
    expect(await network.rpc('dev_decodeTransaction', hash)).toMatchObject({
      status: 'success',
      contract: 'PlainToken',
      function: { name: 'transfer' },
      events: [{ contract: 'PlainToken', event: { name: 'Transfer' } }],
      calls: null,
      transfers: null,
    })
  })
})
