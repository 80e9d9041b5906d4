import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectClient, type RpcAnswer, type RpcCall, type ShapedChain, startShapedChain } from '@understudy/testkit'
import {
  type Abi,
  type Address,
  concat,
  decodeErrorResult,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { chainShapes } from '../../upstream/chainShapes.ts'

const shapeOf = (name: string) => {
  const shape = chainShapes.find((one) => one.name === name)
  if (!shape) throw new Error(`There is no shape of ${name}`)
  return shape
}

/** Sends its input beyond the first word to the address in that word, with its ether, and returns what came back. */
const forwarder: Hex = '0x6020360380602060003760006000916000346000355af13d600060003e6024573d6000fd5b3d6000f3'
const forwarderAddress: Address = `0x${'f0'.repeat(20)}`
/** The same by STATICCALL. */
const reader: Hex = '0x60203603806020600037600060009160006000355afa3d600060003e6023573d6000fd5b3d6000f3'
const readerAddress: Address = `0x${'fa'.repeat(20)}`
const accountOf = (byte: string): Address => `0x${byte.repeat(20)}`
const [alice, bob, carol] = [accountOf('a1'), accountOf('b0'), accountOf('ca')]

/** What is asked of a network in these tests. */
function clientOf(network: () => TestNetwork) {
  const rpc = <T>(method: string, ...params: unknown[]) => network().rpc<T>(method, ...params)
  const call = (to: Address, data: Hex, more: object = {}) => rpc<Hex>('eth_call', { to, data, ...more }, 'latest')
  return {
    rpc,
    call,
    through: (contract: Address, to: Address, data: Hex) => call(contract, concat([pad(to), data])),
    async send(request: object) {
      const hash = await rpc<Hex>('eth_sendTransaction', request)
      // biome-ignore lint/suspicious/noExplicitAny: a receipt
      return rpc<any>('eth_getTransactionReceipt', hash)
    },
    async prepare(...more: Address[]) {
      await rpc('dev_setCode', forwarderAddress, forwarder)
      await rpc('dev_setCode', readerAddress, reader)
      await rpc('anvil_autoImpersonateAccount', true)
      for (const account of [alice, bob, carol, ...more]) await rpc('dev_setBalance', account, '1000000000000000000')
    },
  }
}

/** What a promise is rejected with. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    // biome-ignore lint/suspicious/noExplicitAny: an error of viem
    (error: any) => ({ message: String(error.message), data: (error.cause?.data ?? error.data) as Hex }),
  )

describe("Base's tokens", () => {
  const token: Address = `0xb200000000000000000000${'5e'.repeat(9)}`
  const registry: Address = '0x8453000000000000000000000000000000000002'
  const factory: Address = `0xb20f${'00'.repeat(18)}`
  const abi = parseAbi([
    'function mint(address to, uint256 amount)',
    'function transferWithMemo(address to, uint256 amount, bytes32 memo) returns (bool)',
    'function isAuthorized(uint64 policyId, address account) view returns (bool)',
    'function createB20(uint8 variant, bytes32 salt, bytes params, bytes[] initCalls) returns (address token)',
    'error PolicyForbids(bytes32 policyScope, uint64 policyId)',
    'error InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  ])
  const all = [...erc20Abi, ...abi] as Abi
  /** ERC-7201, `base.b20`: https://docs.base.org/specifications/b20. */
  const root = BigInt(keccak256(numberToHex(BigInt(keccak256(toHex('base.b20'))) - 1n, { size: 32 }))) & ~0xffn
  const slotOf = (field: bigint) => numberToHex(root + field, { size: 32 })
  const balanceSlot = (account: Address) =>
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [account, slotOf(4n)]))

  /** Of one test each, whatever the others do with the rest. */
  const [mover, receiver, staying, reading, dealt, followed] = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'].map(accountOf) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ]

  let chain: ShapedChain
  let network: TestNetwork
  let asked: RpcCall[] = []
  const { rpc, call, through, send, prepare } = clientOf(() => network)
  // biome-ignore lint/suspicious/noExplicitAny: of several functions
  const data = (functionName: string, args: any = []) => encodeFunctionData({ abi: all, functionName, args })
  const balanceOf = async (account: Address) => BigInt(await call(token, data('balanceOf', [account])))
  const setLive = async (slot: Hex, value: bigint) => {
    await chain.rpc('anvil_setStorageAt', [token, slot, numberToHex(value, { size: 32 })])
    await chain.rpc('evm_mine')
  }
  /** Waits until the network is on the live chain's head. */
  const follow = async () => {
    const head = Number(await chain.rpc<Hex>('eth_blockNumber'))
    await eventually(
      () => rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
      ({ base }) => base.number === head,
    )
  }

  function answer(request: RpcCall): RpcAnswer | undefined {
    const [{ to, data: input } = {}] = (request.params ?? []) as [{ to?: Address; data?: Hex }?]
    if (request.method !== 'eth_call' || (to !== token && to !== registry)) return undefined
    asked.push(request)
    if (input === data('name'))
      return { result: encodeFunctionResult({ abi: erc20Abi, functionName: 'name', result: 'Live' }) }
    if (input === data('symbol')) return { result: `0x${'61'.repeat(10_000_000)}` }
    // Everyone but Bob may have it.
    if (to === registry) return { result: pad(input === data('isAuthorized', [7n, bob]) ? '0x0' : '0x1') }
    return { error: { code: 3, message: 'execution reverted', data: '0x' } }
  }

  beforeAll(async () => {
    chain = await startShapedChain({ ...shapeOf('Base'), answer })
    await chain.rpc('anvil_setCode', [token, '0xef'])
    await setLive(slotOf(3n), 1_000n)
    for (const account of [alice, mover, reading]) await setLive(balanceSlot(account), 600n)
    for (const account of [carol, staying]) await setLive(balanceSlot(account), 400n)
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant', l1Fee: false })
    await prepare(mover)
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('are read from their slots, and other views from the live chain', async () => {
    asked = []
    expect(await balanceOf(reading)).toBe(600n)
    expect(BigInt(await call(token, data('totalSupply')))).toBe(1_000n)
    expect(BigInt(await through(readerAddress, token, data('balanceOf', [reading])))).toBe(600n)
    expect(asked).toEqual([])
    const name = await through(readerAddress, token, data('name'))
    expect(decodeFunctionResult({ abi: erc20Abi, functionName: 'name', data: name })).toBe('Live')
    // Of the code, contracts see what the live chain has.
    expect(await rpc('eth_getCode', token, 'latest')).toBe('0xef')
    expect(BigInt(await call(undefined as never, `0x73${token.slice(2)}3b60005260206000f3`))).toBe(1n)
    // No token of this prefix was created there.
    await expect(call(`0xb200000000000000000001${'00'.repeat(9)}`, data('totalSupply'))).rejects.toThrow(/revert/)
  })

  it('move between accounts, and stay moved while others follow the live chain', async () => {
    const request = { from: mover, to: token, data: data('transfer', [receiver, 100n]) }
    const gas = await rpc<Hex>('eth_estimateGas', request)
    const receipt = await send({ ...request, gas })
    expect(receipt).toMatchObject({
      status: '0x1',
      logs: [
        {
          address: token,
          topics: [keccak256(toHex('Transfer(address,address,uint256)')), pad(mover), pad(receiver)],
          data: numberToHex(100n, { size: 32 }),
        },
      ],
    })
    expect([await balanceOf(mover), await balanceOf(receiver)]).toEqual([500n, 100n])
    await setLive(balanceSlot(staying), 300n)
    await setLive(balanceSlot(mover), 700n)
    await follow()
    expect([await balanceOf(mover), await balanceOf(receiver), await balanceOf(staying)]).toEqual([500n, 100n, 300n])
    // As a trace, with what it changed.
    const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const { post } = await rpc<{ post: Record<Address, { storage: Record<Hex, Hex> }> }>(
      'debug_traceTransaction',
      receipt.transactionHash,
      tracer,
    )
    expect(post[token]?.storage).toEqual({
      [balanceSlot(mover)]: numberToHex(500n, { size: 32 }),
      [balanceSlot(receiver)]: numberToHex(100n, { size: 32 }),
    })
  })

  it('take allowances, memos and what is too little as tokens with code do', async () => {
    await send({ from: carol, to: token, data: data('approve', [forwarderAddress, 50n]) })
    expect(BigInt(await call(token, data('allowance', [carol, forwarderAddress])))).toBe(50n)
    const transferFrom = concat([pad(token), data('transferFrom', [carol, bob, 20n])])
    const before = await balanceOf(bob)
    expect(await send({ from: alice, to: forwarderAddress, data: transferFrom })).toMatchObject({ status: '0x1' })
    expect(await balanceOf(bob)).toBe(before + 20n)
    expect(BigInt(await call(token, data('allowance', [carol, forwarderAddress])))).toBe(30n)
    const memo = pad('0x0e')
    const { logs } = await send({ from: carol, to: token, data: data('transferWithMemo', [bob, 1n, memo]) })
    expect(logs[1].topics).toEqual([keccak256(toHex('Memo(address,bytes32)')), pad(carol), memo])
    const poor = await failure(call(token, data('transfer', [bob, 10_000n]), { from: carol }))
    expect(decodeErrorResult({ abi: all, data: poor?.data as Hex })).toMatchObject({ errorName: 'InsufficientBalance' })
    await expect(through(readerAddress, token, data('transfer', [bob, 0n]))).rejects.toThrow(/revert/)
  })

  it('obey policies, for which the registry of the live chain is asked', async () => {
    asked = []
    const slot = slotOf(9n)
    // The policy of receivers.
    await rpc('dev_setStorageAt', token, slot, numberToHex(7n << 64n, { size: 32 }))
    const refused = await failure(call(token, data('transfer', [bob, 1n]), { from: carol }))
    expect(decodeErrorResult({ abi: all, data: refused?.data as Hex })).toMatchObject({
      errorName: 'PolicyForbids',
      args: [keccak256(toHex('TRANSFER_RECEIVER_POLICY')), 7n],
    })
    expect(await call(token, data('transfer', [alice, 1n]), { from: carol })).toBe(pad('0x01'))
    expect(asked.map(({ params }) => (params as [{ to: Address }])[0].to)).toEqual([registry, registry])
    await rpc('dev_setStorageAt', token, slot, pad('0x00'))
  })

  it('refuse by name what only the live chain can change', async () => {
    const mint = await failure(call(token, data('mint', [bob, 1n])))
    expect(mint?.message).toContain(`Only the live chain can run mint(address,uint256) of B20Asset (${token})`)
    const created = await failure(call(factory, data('createB20', [0, pad('0x01'), '0x', []])))
    expect(created?.message).toContain(
      'Only the live chain can run createB20(uint8,bytes32,bytes,bytes[]) of B20Factory',
    )
    const request = { from: alice, to: token, data: data('mint', [bob, 1n]), gas: '0x186a0' }
    expect(await send(request)).toMatchObject({ status: '0x0', logs: [] })
  })

  it('are dealt, followed and known as others are', async () => {
    await rpc('dev_setERC20Balance', dealt, token, '12345')
    expect(await balanceOf(dealt)).toBe(12_345n)
    await rpc('anvil_setERC20Allowance', dealt, bob, token, '77')
    expect(BigInt(await call(token, data('allowance', [dealt, bob])))).toBe(77n)
    await rpc('dev_followTokenBalance', token, followed)
    await setLive(balanceSlot(followed), 222n)
    await follow()
    expect(await balanceOf(followed)).toBe(222n)
    const {
      abi: known,
      name,
      source,
    } = await rpc<{ abi: { name?: string }[]; name: string; source: string }>('dev_getContractAbi', token)
    expect({ name, source }).toEqual({ name: 'B20Asset', source: 'chain' })
    expect(known.map((item) => item.name)).toContain('transferWithMemo')
  })

  it('take no answer of the live chain that is longer than a megabyte', async () => {
    await expect(call(token, data('symbol'))).rejects.toThrow(/answers too much/)
  })

  it('answer transactions again after a restart without the live chain', async () => {
    const input = concat([pad(token), data('name')])
    const receipt = await send({ from: alice, to: forwarderAddress, data: input })
    expect(receipt).toMatchObject({ status: '0x1' })
    const trace = () =>
      rpc<{ output: Hex }>('debug_traceTransaction', receipt.transactionHash, { tracer: 'callTracer' })
    const before = await trace()
    expect(decodeFunctionResult({ abi: erc20Abi, functionName: 'name', data: before.output })).toBe('Live')
    asked = []
    await network.node.stop()
    chain.reshape({ answer: (request) => ({ error: { code: -32000, message: `no ${request.method}` } }) })
    await network.restart()
    expect(await trace()).toEqual(before)
    expect(asked).toEqual([])
    chain.reshape({ answer })
  })
})

describe("Celo's transfers", () => {
  const celo: Address = '0x471ece3750da237f93b8e339c536989b8978a438'
  const contract = pad('0xfd', { size: 20 })
  let chain: ShapedChain
  let network: TestNetwork
  const { rpc, call, send, prepare } = clientOf(() => network)
  const transfer = (from: Address, to: Address, wei: bigint) =>
    concat([pad(contract), pad(from), pad(to), numberToHex(wei, { size: 32 })])
  const balances = async () =>
    Promise.all([alice, bob].map(async (account) => BigInt(await rpc<Hex>('eth_getBalance', account, 'latest'))))

  beforeAll(async () => {
    chain = await startShapedChain(shapeOf('Celo'))
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant', l1Fee: false })
    await prepare()
    // The token, as far as it moves what it is told to.
    await rpc('dev_setCode', celo, forwarder)
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('move the ether of accounts that the token names, or nothing', async () => {
    const [first = 0n, second = 0n] = await balances()
    const receipt = await send({ from: carol, to: celo, data: transfer(alice, bob, 1_000n) })
    expect(receipt).toMatchObject({ status: '0x1' })
    expect(await balances()).toEqual([first - 1_000n, second + 1_000n])
    await expect(call(celo, transfer(alice, bob, 10n ** 30n))).rejects.toThrow()
    // A call changes nothing.
    const before = await balances()
    expect(await call(celo, transfer(alice, bob, 1n))).toBe('0x')
    expect(await balances()).toEqual(before)
    const { calls } = await rpc<{ calls: object[] }>('debug_traceTransaction', receipt.transactionHash, {
      tracer: 'callTracer',
    })
    expect(calls).toMatchObject([{ from: celo, to: contract, gasUsed: numberToHex(9_000n) }])
  })

  it('fail with all their gas for any other caller, and with any other input', async () => {
    const before = await balances()
    const stranger = await send({ from: carol, to: forwarderAddress, data: transfer(alice, bob, 1n), gas: '0x30d40' })
    expect(stranger).toMatchObject({ status: '0x0' })
    expect(BigInt(stranger.gasUsed)).toBeGreaterThan(190_000n)
    await expect(call(celo, concat([transfer(alice, bob, 1n), '0x00']))).rejects.toThrow()
    expect(await balances()).toEqual(before)
  })
})

describe("Monad's staking", () => {
  const staking = pad('0x1000', { size: 20 })
  const abi = parseAbi([
    'function getEpoch() returns (uint64 epoch, bool inEpochDelayPeriod)',
    'function delegate(uint64 validatorId) payable returns (bool success)',
  ])
  const epoch = encodeFunctionResult({ abi, functionName: 'getEpoch', result: [9n, true] })
  const getEpoch = encodeFunctionData({ abi, functionName: 'getEpoch' })
  let chain: ShapedChain
  let network: TestNetwork
  const { rpc, call, through, prepare } = clientOf(() => network)

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 143, hardfork: 'prague' },
      missing: ['eth_config'],
      answer({ method, params }) {
        const [{ to } = {}] = (params ?? []) as [{ to?: Address }?]
        return method === 'eth_call' && to === staking ? { result: epoch } : undefined
      },
    })
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
    await prepare()
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('answers what reads by the live chain to CALL alone, and refuses what writes by name', async () => {
    expect(await call(staking, getEpoch)).toBe(epoch)
    expect(await through(forwarderAddress, staking, getEpoch)).toBe(epoch)
    await expect(through(readerAddress, staking, getEpoch)).rejects.toThrow(/revert/)
    const data = encodeFunctionData({ abi, functionName: 'delegate', args: [1n] })
    const refused = await failure(call(staking, data, { from: alice, value: '0x1' }))
    expect(refused?.message).toContain(`Only the live chain can run delegate(uint64) of Staking (${staking})`)
    expect(await rpc('eth_getCode', staking, 'latest')).toBe('0x')
  })
})

describe('Contracts that a profile declares', () => {
  const oracle: Address = `0x${'0c'.repeat(20)}`
  const vault: Address = `0xbeef${'01'.repeat(18)}`
  const abi = parseAbi(['function price() view returns (uint256)', 'function set(uint256)'])
  const price = encodeFunctionData({ abi, functionName: 'price' })
  const directory = mkdtempSync(join(tmpdir(), 'understudy-contracts-'))
  let chain: ShapedChain
  let network: TestNetwork
  let live = 5n
  const { rpc, call, through, send, prepare } = clientOf(() => network)

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 31_337 },
      answer({ method, params }) {
        const [{ to } = {}] = (params ?? []) as [{ to?: Address }?]
        return method === 'eth_call' && to === oracle ? { result: numberToHex(live, { size: 32 }) } : undefined
      },
    })
    const chainProfile = join(directory, 'profile.json')
    const contracts = [
      {
        name: 'Oracle',
        address: oracle,
        abi: ['function price() view returns (uint256)', 'function set(uint256)'],
        answeredBy: 'liveChain',
      },
      { name: 'Vaults', prefix: '0xbeef', answeredBy: 'refused' },
    ]
    writeFileSync(chainProfile, JSON.stringify({ chainId: 31_337, name: 'a chain', contracts }))
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant', chainProfile })
    await prepare()
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
    rmSync(directory, { recursive: true })
  })

  it('answer contracts by the live chain at the base, or refuse', async () => {
    expect(BigInt(await through(readerAddress, oracle, price))).toBe(5n)
    const receipt = await send({ from: alice, to: forwarderAddress, data: concat([pad(oracle), price]) })
    expect(receipt).toMatchObject({ status: '0x1' })
    // The base stands still, so the answer does.
    live = 6n
    expect(BigInt(await call(oracle, price))).toBe(5n)
    await chain.rpc('evm_mine')
    await eventually(
      async () => BigInt(await call(oracle, price)),
      (value) => value === 6n,
    )
    const set = encodeFunctionData({ abi, functionName: 'set', args: [7n] })
    expect((await failure(call(oracle, set)))?.message).toContain('Only the live chain can run set(uint256) of Oracle')
    const refused = `The profile of the chain refuses calls of Vaults (${vault})`
    expect((await failure(call(vault, price)))?.message).toContain(refused)
    expect(await rpc('dev_getContractAbi', oracle)).toMatchObject({ name: 'Oracle', source: 'chain' })
  })

  it('are in recordings, with which the network runs offline', async () => {
    const file = join(directory, 'fork.gz')
    const options = { forkUrls: [chain.url], chainProfile: join(directory, 'profile.json') }
    const recorded = await startNetwork({ ...options, record: file })
    const before = await recorded.rpc<Hex>('eth_call', { to: oracle, data: price }, 'latest')
    await recorded.stop()
    const offline = await startNetwork({ chainProfile: options.chainProfile, from: file, offline: true })
    expect(await offline.rpc('eth_call', { to: oracle, data: price }, 'latest')).toBe(before)
    await offline.stop()
  })

  it('yield to function overrides and to state overrides of calls', async () => {
    await rpc('dev_addFunctionOverride', {
      contractAddress: oracle,
      functionAbi: 'function price() view returns (uint256)',
      returnValues: ['77'],
    })
    expect(BigInt(await through(readerAddress, oracle, price))).toBe(77n)
    const code = '0x602a60005260206000f3'
    for (const address of [oracle, vault])
      expect(BigInt(await rpc<Hex>('eth_call', { to: address, data: '0x' }, 'latest', { [address]: { code } }))).toBe(
        42n,
      )
  })
})

it('falls back where the nodes of a chain have lost methods, as those of Avalanche after Helicon', async () => {
  // And their last settled block, which is both safe and finalized, is some blocks behind.
  const lost = ['accountRange', 'dumpBlock', 'getAccessibleState', 'getBadBlocks', 'preimage', 'storageRangeAt']
  const shape = shapeOf('Avalanche')
  const chain = await startShapedChain({
    ...shape,
    missing: [
      ...(shape.missing ?? []),
      ...['eth_accounts', 'eth_sign', 'eth_signTransaction'],
      ...[...lost, 'getModifiedAccountsByHash', 'getModifiedAccountsByNumber'].map((name) => `debug_${name}`),
    ],
  })
  const client = await connectClient(chain.url)
  await client.sendTransaction({ to: bob, value: 5n })
  await chain.rpc('anvil_mine', ['0x8'])
  const head = await chain.rpc<Hex>('eth_blockNumber')
  chain.reshape({
    answer: ({ method, params }) => {
      const isSettled = method === 'eth_getBlockByNumber' && ['safe', 'finalized'].includes(String(params?.[0]))
      return isSettled ? { result: shape.block?.(settled) ?? settled } : undefined
    },
  })
  const settled = await chain.rpc<Record<string, unknown>>('eth_getBlockByNumber', [
    numberToHex(BigInt(head) - 3n),
    false,
  ])
  const network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
  const { rpc } = clientOf(() => network)
  expect(await rpc<Address[]>('eth_accounts')).toContain(network.client.account.address.toLowerCase())
  expect(await rpc('debug_getModifiedAccountsByNumber', '0x0', '0x2')).toContain(bob)
  await network.client.sendTransaction({ to: carol, value: 7n })
  expect(await rpc('debug_getModifiedAccountsByNumber', 'latest')).toContain(carol)
  await network.restart()
  expect(BigInt(await rpc<Hex>('eth_getBalance', carol, 'latest'))).toBe(7n)
  await network.stop()
  await chain.stop()
})
