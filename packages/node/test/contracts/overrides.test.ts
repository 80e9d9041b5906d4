import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const latestRoundData =
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)'
const balanceOf = 'function balanceOf(address holder) view returns (uint256)'
const oracleAbi = artifacts.Oracle.abi
const lenderAbi = artifacts.Lender.abi
const tokenAbi = artifacts.ProxiedToken.abi
const [alice, bob]: readonly [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]

type Override = { id: string; [field: string]: unknown }

describe('function overrides of contracts of a live chain', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  let oracle: Address
  let lender: Address
  let implementation: Address
  let token: Address
  let reverter: Address

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    oracle = await deployContract(live, artifacts.Oracle, [2_000n * 10n ** 8n])
    lender = await deployContract(live, artifacts.Lender, [oracle])
    implementation = await deployContract(live, artifacts.ProxiedToken)
    const initializer = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'initialize',
      args: [alice, 1_000n],
    })
    token = await deployContract(live, artifacts.TokenProxy, [implementation, initializer])
    reverter = await deployContract(live, artifacts.Reverter)
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network?.stop())

  const add = (contractAddress: Address, functionAbi: unknown, returnValues: string[], inputParams?: string[] | null) =>
    network.rpc<Override>('dev_addFunctionOverride', {
      contractAddress,
      functionAbi,
      returnValues,
      ...(inputParams !== undefined && { inputParams }),
    })
  const price = () => network.client.readContract({ address: lender, abi: lenderAbi, functionName: 'price' })
  const round = () => network.client.readContract({ address: oracle, abi: oracleAbi, functionName: 'latestRoundData' })
  const balance = (holder: Address, address = token) =>
    network.client.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [holder] })
  const crash = ['7', '-5', '1700000000', '1700000001', '7']

  it('change what a lender gets of its inner staticcall, in calls, estimates and transactions', async () => {
    const { client } = network
    const request = { address: lender, abi: lenderAbi, account: client.account } as const
    await client.writeContract({ ...request, functionName: 'deposit', value: parseEther('1') })
    const borrow = { ...request, functionName: 'borrow', args: [2_500n * 10n ** 8n] } as const
    await expect(client.simulateContract(borrow)).rejects.toThrow(/Undercollateralised/)
    await expect(client.estimateContractGas(borrow)).rejects.toThrow(/Undercollateralised/)

    await add(oracle, latestRoundData, ['7', String(5_000n * 10n ** 8n), '1', '1', '7'])
    expect(await price()).toBe(5_000n * 10n ** 8n)
    const gas = await client.estimateContractGas(borrow)
    const receipt = await client.getTransactionReceipt({ hash: await client.writeContract({ ...borrow, gas }) })
    expect(receipt.status).toBe('success')
    const debt = { address: lender, abi: lenderAbi, functionName: 'debt', args: [client.account.address] } as const
    expect(await client.readContract(debt)).toBe(2_500n * 10n ** 8n)
  })

  it('apply in simulations and in what is traced', async () => {
    await add(oracle, latestRoundData, ['7', '123', '1', '1', '7'])
    const data = encodeFunctionData({ abi: lenderAbi, functionName: 'price' })
    const call = { to: lender, data }
    const [block] = await network.rpc<{ calls: { returnData: Hex }[] }[]>(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [call] }] },
      'latest',
    )
    expect(BigInt(block?.calls[0]?.returnData ?? 0)).toBe(123n)
    const trace = await network.rpc<{ output: Hex; calls: { output: Hex }[] }>('debug_traceCall', call, 'latest', {
      tracer: 'callTracer',
    })
    expect(BigInt(trace.output)).toBe(123n)
    expect(BigInt(`0x${trace.calls[0]?.output.slice(66, 130)}`)).toBe(123n)
  })

  it('answer a whole tuple, negative numbers too, at the top level', async () => {
    const before = await round()
    await add(oracle, latestRoundData, crash)
    expect(await round()).toEqual([7n, -5n, 1_700_000_000n, 1_700_000_001n, 7n])
    expect(await price()).toBe(-5n)
    const call = { to: lender, data: encodeFunctionData({ abi: lenderAbi, functionName: 'price' }) }
    expect(BigInt(await network.rpc<Hex>('dev_callWithoutOverrides', call))).toBe(before[1])
    // Another function of the contract, and the same one of another contract, are as they were.
    const [, answer] = await network.client.readContract({
      address: oracle,
      abi: oracleAbi,
      functionName: 'getRoundData',
      args: [1n],
    })
    expect(answer).toBe(before[1])
    const other = await deployContract(network.client, artifacts.Oracle, [5n])
    const read = { address: other, abi: oracleAbi, functionName: 'latestRoundData' } as const
    expect((await network.client.readContract(read))[1]).toBe(5n)
  })

  it('are seen by constructors and through multicalls', async () => {
    await add(oracle, latestRoundData, crash)
    // Without an address viem sends the multicall as the constructor of a contract.
    const answers = await network.client.multicall({
      contracts: [
        { address: oracle, abi: oracleAbi, functionName: 'latestRoundData' },
        { address: lender, abi: lenderAbi, functionName: 'price' },
        { address: oracle, abi: oracleAbi, functionName: 'decimals' },
      ],
      deployless: true,
      allowFailure: false,
    })
    expect(answers).toEqual([[7n, -5n, 1_700_000_000n, 1_700_000_001n, 7n], -5n, 8])
  })

  it('apply to the address that is called: to a proxy, and not to its implementation', async () => {
    await add(implementation, balanceOf, ['1'])
    expect(await balance(alice)).toBe(1_000n)
    expect(await balance(alice, implementation)).toBe(1n)
    await add(token, balanceOf, ['77'])
    expect(await balance(alice)).toBe(77n)
    expect(await balance(bob)).toBe(77n)
  })

  it('leave a revert as it is', async () => {
    await add(reverter, 'function withPanic(uint256 divisor) pure returns (uint256)', ['9'])
    const panic = (divisor: bigint) =>
      network.client.readContract({
        address: reverter,
        abi: artifacts.Reverter.abi,
        functionName: 'withPanic',
        args: [divisor],
      })
    expect(await panic(1n)).toBe(9n)
    await expect(panic(0n)).rejects.toThrow(/divi/i)
  })

  it('run the real function first, with its effects and its gas', async () => {
    const { client } = network
    const request = { address: reverter, abi: artifacts.Reverter.abi, functionName: 'attempt', args: [false] } as const
    const gas = await client.estimateContractGas({ ...request, account: client.account })
    await add(reverter, 'function attempt(bool fail) returns (uint256)', ['99'])
    expect((await client.simulateContract(request)).result).toBe(99n)
    expect(await client.estimateContractGas({ ...request, account: client.account })).toBe(gas)
    await client.writeContract(request)
    expect(await client.readContract({ ...request, functionName: 'attempts', args: [] })).toBe(1n)
  })

  it('answer for an address without code, where a call succeeds', async () => {
    await add(bob, 'function price() view returns (uint256)', ['3'])
    const abi = parseAbi(['function price() view returns (uint256)'])
    expect(await network.client.readContract({ address: bob, abi, functionName: 'price' })).toBe(3n)
  })

  it.each(['exact inputs first', 'wildcard first'])('prefer exact inputs to the wildcard: %s', async (order) => {
    const exact = () => add(token, balanceOf, ['5'], [alice])
    const wildcard = () => add(token, balanceOf, ['6'], [])
    const [, second] =
      order === 'wildcard first' ? [await wildcard(), await exact()] : [await exact(), await wildcard()]
    expect([await balance(alice), await balance(bob)]).toEqual([5n, 6n])
    await network.rpc('dev_removeFunctionOverride', second.id)
    const left = order === 'wildcard first' ? [6n, 6n] : [5n, 0n]
    expect([await balance(alice), await balance(bob)]).toEqual(left)
  })

  it('tell overloaded functions apart', async () => {
    const signatures = ['get(uint256)', 'get(int256)', 'get((uint256,address) key)']
    const target: Address = `0x${'0f'.repeat(20)}`
    for (const [index, signature] of signatures.entries())
      await add(target, `function ${signature} view returns (uint256)`, [String(index)])
    const abi = parseAbi(['function get(int256) view returns (uint256)'])
    expect(await network.client.readContract({ address: target, abi, functionName: 'get', args: [-1n] })).toBe(1n)
  })

  it('match structs, arrays and negative numbers among their inputs', async () => {
    const signature = 'function quote((int256 delta, address[] path) order, bytes note) view returns (string)'
    const target: Address = `0x${'0f'.repeat(20)}`
    await add(target, signature, ['exact'], [`{"delta": -3, "path": ["${alice}", "${bob}"]}`, '0xc0ffee'])
    await add(target, signature, ['any'])
    const quote = (delta: bigint) =>
      network.client.readContract({
        address: target,
        abi: parseAbi([
          'struct Order { int256 delta; address[] path; }',
          'function quote(Order order, bytes note) view returns (string)',
        ]),
        functionName: 'quote',
        args: [{ delta, path: [alice, bob] }, '0xc0ffee'],
      })
    expect([await quote(-3n), await quote(3n)]).toEqual(['exact', 'any'])
  })

  it('are answered as they are kept, and survive a restart', async () => {
    const first = await add(getAddress(token), balanceOf, ['5'], [alice])
    const fragment = {
      type: 'function',
      name: 'balanceOf',
      stateMutability: 'view',
      inputs: [{ name: 'holder', type: 'address' }],
      outputs: [{ name: '', type: 'uint256' }],
    }
    expect(first).toEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]+$/),
      contractAddress: token.toLowerCase(),
      functionAbi: expect.any(String),
      inputParams: [alice],
      returnValues: ['5'],
      enabled: true,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(JSON.parse(first.functionAbi as string)).toMatchObject({ type: 'function', name: 'balanceOf' })
    const second = await add(oracle, JSON.stringify({ ...fragment, name: 'latestAnswer', inputs: [] }), ['8'])
    const third = await add(token, fragment, ['6'], null)
    expect([second.inputParams, third.inputParams, third.functionAbi]).toEqual([null, null, JSON.stringify(fragment)])

    const { rpc } = network
    expect(await rpc('dev_updateFunctionOverride', third.id, ['60'])).toEqual({ ...third, returnValues: ['60'] })
    expect(await rpc('dev_disableFunctionOverride', first.id)).toEqual({ ...first, enabled: false })
    expect([await balance(alice), await balance(bob)]).toEqual([60n, 60n])
    const expected = [{ ...third, returnValues: ['60'] }, second, { ...first, enabled: false }]
    for (const _ of ['before', 'after']) {
      expect(await network.rpc('dev_getFunctionOverrides')).toEqual(expected)
      const ofToken = [expected[0], expected[2]]
      expect(await network.rpc('dev_getFunctionOverridesByContract', getAddress(token))).toEqual(ofToken)
      expect([await balance(alice), await balance(bob)]).toEqual([60n, 60n])
      await network.restart()
    }
    expect(await network.rpc('dev_enableFunctionOverride', first.id)).toEqual(first)
    expect(await balance(alice)).toBe(5n)
    expect(await network.rpc('dev_removeFunctionOverride', first.id)).toEqual({ id: first.id, removed: true })
    expect(await balance(alice)).toBe(60n)
  })

  it('are refused twice for the same inputs, whichever is enabled, and name the existing one', async () => {
    const { id } = await add(token, balanceOf, ['5'])
    await network.rpc('dev_disableFunctionOverride', id)
    const again = { cause: { code: -32000, data: { kind: 'OVERRIDE_EXISTS', id } } }
    await expect(add(token, 'function balanceOf(address) view returns (uint256)', ['6'])).rejects.toMatchObject(again)
    await add(token, balanceOf, ['6'], [alice])
    await expect(add(token, balanceOf, ['6'], [alice.toUpperCase().replace('X', 'x')])).rejects.toMatchObject({
      cause: { code: -32000 },
    })
  })

  it.each([
    ['1', {}, 'returnValues[0]', ['x']],
    ['2', {}, 'returnValues: expected 1 value', ['1', '2']],
    ['3', { returnValues: undefined }, 'params[0].returnValues'],
    ['4', { inputParams: ['0x12'] }, 'inputParams[0] (holder)'],
    ['5', { inputParams: [alice, alice] }, 'inputParams: expected 1 value'],
    ['6', { contractAddress: '0x12' }, 'params[0].contractAddress'],
    ['7', { functionAbi: 'event Transfer()' }, 'functionAbi'],
    ['8', { functionAbi: undefined }, 'params[0].functionAbi'],
    ['9', { returns: ['1'] }, 'params[0].returns'],
  ] as [string, Record<string, unknown>, string, string[]?][])(
    'are refused when values do not fit, and nothing is stored (%s)',
    async (_, changes, field, returnValues = ['1']) => {
      const input = { contractAddress: token, functionAbi: balanceOf, returnValues, ...changes }
      await expect(network.rpc('dev_addFunctionOverride', input)).rejects.toMatchObject({
        cause: { code: -32602, message: expect.stringContaining(`invalid params: ${field}`) },
      })
      expect(await network.rpc('dev_getFunctionOverrides')).toEqual([])
    },
  )

  it('keep what they return when an update does not fit', async () => {
    const { id } = await add(token, balanceOf, ['5'])
    await expect(network.rpc('dev_updateFunctionOverride', id, ['-1'])).rejects.toMatchObject({
      cause: { code: -32602 },
    })
    expect(await balance(alice)).toBe(5n)
  })

  it('are not found under an unknown id', async () => {
    const methods = ['update', 'remove', 'enable', 'disable'].map((verb) => `dev_${verb}FunctionOverride`)
    for (const method of methods) {
      const params = method.includes('update') ? ['nobody', ['1']] : ['nobody']
      await expect(network.rpc(method, ...params)).rejects.toMatchObject({
        cause: { code: -32001, data: { kind: 'OVERRIDE_NOT_FOUND', id: 'nobody' } },
      })
    }
  })

  it('are seen in traces of transactions as they were in their block, and by calls as they are now', async () => {
    const data = encodeFunctionData({ abi: lenderAbi, functionName: 'price' })
    const ask = async () => {
      const { transactionHash, blockNumber } = await network.rpc<{ transactionHash: Hex; blockNumber: Hex }>(
        'eth_sendTransactionSync',
        { to: lender, data },
      )
      return { hash: transactionHash, block: blockNumber }
    }
    const answers = ['7', '123', '1', '1', '7']
    const sent = [await ask()]
    const { id } = await add(oracle, latestRoundData, answers)
    sent.push(await ask())
    await network.rpc('dev_updateFunctionOverride', id, answers.with(1, '456'))
    sent.push(await ask())
    await network.rpc('dev_disableFunctionOverride', id)
    sent.push(await ask())
    await network.rpc('dev_enableFunctionOverride', id)
    const snapshot = await network.rpc<Hex>('evm_snapshot')
    await ask()
    await network.rpc('evm_revert', snapshot)
    sent.push(await ask())
    await network.rpc('dev_removeFunctionOverride', id)
    await add(oracle, latestRoundData, answers.with(1, '789'))

    const price = 2_000n * 10n ** 8n
    const outputs = async () => {
      const found: bigint[] = []
      for (const { hash } of sent) {
        const trace = await network.rpc<{ output: Hex }>('debug_traceTransaction', hash, { tracer: 'callTracer' })
        found.push(BigInt(trace.output))
      }
      return found
    }
    expect(await outputs()).toEqual([price, 123n, 456n, price, 456n])
    const second = sent[1] as { hash: Hex; block: Hex }
    const [trace] = await network.rpc<{ result: { output: Hex } }[]>('trace_transaction', second.hash)
    expect(BigInt(trace?.result.output ?? 0)).toBe(123n)
    expect(BigInt(await network.rpc<Hex>('eth_call', { to: lender, data }, second.block))).toBe(789n)
    await network.restart()
    expect(await outputs()).toEqual([price, 123n, 456n, price, 456n])
  })

  it('are kept through a wipe and a revert', async () => {
    const snapshot = await network.rpc<Hex>('evm_snapshot')
    await add(token, balanceOf, ['5'])
    await network.rpc('mock_wipeLocalState')
    expect(await balance(alice)).toBe(5n)
    await network.rpc('evm_revert', snapshot)
    expect(await balance(alice)).toBe(5n)
  })
})
