import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  requireSuccess,
  startAnvil,
  type TestClient,
  testAccounts,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, keccak256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Json = Record<string, unknown>
type Log = { address: Address; topics: Hex[]; data: Hex; logIndex: Hex }
type Call = { status: Hex; returnData: Hex; gasUsed: Hex; logs: Log[]; error?: { code: number; message: string } }
type SimulatedBlock = {
  number: Hex
  timestamp: Hex
  hash: Hex
  parentHash: Hex
  gasUsed: Hex
  baseFeePerGas: Hex
  transactions: unknown[]
  calls: Call[]
}

let anvil: Anvil
let live: TestClient
let uniswap: UniswapV2
let counter: Address
let reverter: Address
let network: TestNetwork
beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  uniswap = await deployUniswapV2(live)
  counter = await deployContract(live, artifacts.Counter, [7n])
  reverter = await deployContract(live, artifacts.Reverter)
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const [alice, bob] = [
  testAccounts[0].address.toLowerCase() as Address,
  testAccounts[1].address.toLowerCase() as Address,
]
const stranger = '0x00000000000000000000000000000000000000aa'
const here = <T = Json>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const there = <T = Json>(method: string, ...params: unknown[]) => anvil.rpc<T>(method, params)
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
const { abi } = artifacts.Counter
const increment = () => ({ from: alice, to: counter, data: encodeFunctionData({ abi, functionName: 'increment' }) })
const read = () => ({ from: alice, to: counter, data: encodeFunctionData({ abi, functionName: 'number' }) })
const revert = () => ({
  from: alice,
  to: reverter,
  data: encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['no'] }),
})
const simulate = (blockStateCalls: Json[], more: Json = {}, block: unknown = 'latest') =>
  here<SimulatedBlock[]>('eth_simulateV1', { blockStateCalls, ...more }, block)

describe('eth_simulateV1', () => {
  it('runs calls on what the calls before left, in blocks that follow each other', async () => {
    const head = await network.client.getBlock()
    const [first, second] = await simulate([{ calls: [increment(), read()] }, { calls: [increment(), read()] }])
    expect([first?.calls[1]?.returnData, second?.calls[1]?.returnData]).toEqual([word(8n), word(9n)])
    expect([first?.number, second?.number]).toEqual([quantity(head.number + 1n), quantity(head.number + 2n)])
    expect([first?.parentHash, second?.parentHash]).toEqual([head.hash, first?.hash])
    expect(first?.transactions).toEqual([expect.stringMatching(/^0x[\da-f]{64}$/), expect.any(String)])
    // Nothing is kept.
    expect(await network.client.getBlockNumber()).toBe(head.number)
    expect(await here('eth_call', read(), 'latest')).toBe(word(7n))
  })

  it('reports a call that failed, and continues', async () => {
    const loop = { from: alice, to: stranger, gas: '0x186a0' }
    const stateOverrides = { [stranger]: { code: '0x5b600056' } }
    const [block] = await simulate([{ stateOverrides, calls: [revert(), loop, read()] }])
    expect(block?.calls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['0x0', 3],
      ['0x0', -32015],
      ['0x1', undefined],
    ])
    expect(block?.calls[0]?.error).toMatchObject({
      message: 'execution reverted: no',
      data: expect.stringMatching(/^0x08c379a0/),
    })
    expect(block?.calls[1]?.gasUsed).toBe('0x186a0')
  })

  it('sees the state and the blocks that it is told to', async () => {
    const code = '0x4360005242602052486040524160605260806000f3'
    const number = quantity((await network.client.getBlockNumber()) + 5n)
    const blockOverrides = { number, time: '0x80000000', baseFeePerGas: '0x7', feeRecipient: bob }
    const [, block] = await simulate([
      {},
      { blockOverrides, stateOverrides: { [stranger]: { code } }, calls: [{ from: alice, to: stranger }] },
    ]).then((blocks) => [blocks[0], blocks.at(-1)])
    const values = [BigInt(number), 0x80000000n, 7n, BigInt(bob)].map((value) => word(value).slice(2))
    expect(block?.calls[0]?.returnData).toBe(`0x${values.join('')}`)
    expect([block?.number, block?.timestamp, block?.baseFeePerGas]).toEqual([number, '0x80000000', '0x7'])
  })

  it('puts blocks twelve seconds apart, in which gas and blobs are free', async () => {
    const { timestamp } = await network.client.getBlock()
    const stateOverrides = { [stranger]: { code: '0x41600052486020524a60405260606000f3' } }
    const calls = [{ from: alice, to: stranger }]
    const number = quantity((await network.client.getBlockNumber()) + 3n)
    const blocks = await simulate([
      { stateOverrides, calls },
      { calls, blockOverrides: { number } },
    ])
    expect(blocks.map((block) => BigInt(block.timestamp) - timestamp)).toEqual([12n, 24n, 36n])
    for (const block of [blocks[0], blocks[2]])
      expect(block?.calls[0]?.returnData).toBe(`0x${word(0n).slice(2).repeat(3)}`)
    const [dear] = await simulate([{ stateOverrides, calls, blockOverrides: { blobBaseFee: '0x9' } }])
    expect(dear?.calls[0]?.returnData.slice(-2)).toBe('09')
    const [held] = await simulate([{ stateOverrides, calls: [] }, {}], { validation: true })
    expect(BigInt(held?.baseFeePerGas ?? 0)).toBeGreaterThan(0n)
  })

  it('pays withdrawals after the calls of their block', async () => {
    const withdrawal = { index: '0x0', validatorIndex: '0x5', address: stranger, amount: '0x3' }
    const beaconRoot = word(0xbeac0n)
    const stateOverrides = { [stranger]: { code: '0x4760005260206000f3' } }
    const calls = [{ from: alice, to: stranger }]
    const blockOverrides = { beaconRoot, withdrawals: [withdrawal, withdrawal] }
    const [paying, after] = await simulate([{ stateOverrides, calls, blockOverrides }, { calls }])
    expect([paying, after].map((block) => block?.calls[0]?.returnData)).toEqual([word(0n), word(6_000_000_000n)])
    expect(paying).toMatchObject({ withdrawals: [withdrawal, withdrawal], parentBeaconBlockRoot: beaconRoot })
    expect(after).toMatchObject({ withdrawals: [], parentBeaconBlockRoot: word(0n) })
    const [without] = await simulate([{ stateOverrides, calls, blockOverrides: { beaconRoot } }])
    expect(BigInt((paying as Json).size as Hex) - BigInt((without as Json).size as Hex)).toBe(50n)
    expect((paying as Json).withdrawalsRoot).not.toBe((without as Json).withdrawalsRoot)
    await expect(here('eth_call', read(), 'latest', {}, { beaconRoot })).rejects.toThrow('beaconRoot')
  })

  it('does with calls what anvil does', async () => {
    const block = quantity(await live.getBlockNumber())
    const payload = {
      blockStateCalls: [
        { calls: [increment(), read()], blockOverrides: { feeRecipient: bob, gasLimit: '0x1c9c380' } },
        { calls: [revert(), increment()], stateOverrides: { [alice]: { balance: '0x5' } } },
      ],
    }
    const ours = await here<SimulatedBlock[]>('eth_simulateV1', payload, block)
    const theirs = await there<SimulatedBlock[]>('eth_simulateV1', payload, block)
    const facts = (blocks: SimulatedBlock[]) =>
      blocks.map(({ gasUsed, calls }) => ({
        gasUsed,
        // anvil repeats in `returnData` what a call reverted with; geth has it in the error only.
        calls: calls.map(({ status, returnData, gasUsed }) => ({
          status,
          gasUsed,
          returnData: status === '0x1' && returnData,
        })),
      }))
    expect(facts(ours)).toEqual(facts(theirs))
  })

  it('fills the gaps between blocks', async () => {
    const number = await network.client.getBlockNumber()
    const blocks = await simulate([{ blockOverrides: { number: quantity(number + 3n) }, calls: [read()] }])
    expect(blocks.map((block) => [block.number, block.calls.length])).toEqual([
      [quantity(number + 1n), 0],
      [quantity(number + 2n), 0],
      [quantity(number + 3n), 1],
    ])
  })

  it('shows transfers of ether among the logs', async () => {
    const swap = encodeFunctionData({
      abi: artifacts.PlainToken.abi,
      functionName: 'transfer',
      args: [bob, 5n],
    })
    const calls = [
      { from: alice, to: bob, value: '0x5' },
      { from: alice, to: uniswap.tokenA, data: swap },
      { ...revert(), value: '0x0' },
    ]
    const [block] = await simulate([{ calls }], { traceTransfers: true })
    const ether = block?.calls[0]?.logs[0]
    expect(ether).toMatchObject({
      address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      topics: [expect.any(String), word(BigInt(alice)), word(BigInt(bob))],
      data: word(5n),
      logIndex: '0x0',
    })
    expect(block?.calls[1]?.logs).toMatchObject([
      { address: uniswap.tokenA.toLowerCase(), data: word(5n), logIndex: '0x1' },
    ])
    expect(block?.calls[2]?.logs).toEqual([])
    const [plain] = await simulate([{ calls }])
    expect(plain?.calls[0]?.logs).toEqual([])
  })

  it('moves precompiles, and lets code stand instead', async () => {
    const [identity, target] = [
      '0x0000000000000000000000000000000000000004',
      '0x0000000000000000000000000000000000123456',
    ]
    const answersOne = '0x600160005260206000f3'
    const stateOverrides = { [identity]: { movePrecompileToAddress: target, code: answersOne } }
    const calls = [
      { from: alice, to: target, data: '0xabcd' },
      { from: alice, to: identity, data: '0xabcd' },
    ]
    const [first, second] = await simulate([{ stateOverrides, calls }, { calls }])
    const answers = ['0xabcd', word(1n)]
    expect([first, second].map((block) => block?.calls.map(({ returnData }) => returnData))).toEqual([answers, answers])
    expect(await here('eth_call', calls[0], 'latest', stateOverrides)).toBe('0xabcd')
    expect(await here('eth_call', calls[0], 'latest')).toBe('0x')
    expect(await here('eth_call', calls[1], 'latest')).toBe('0xabcd')
    const refused = (overrides: Json) => simulate([{ stateOverrides: overrides, calls }])
    await expect(refused({ [identity]: { movePrecompileToAddress: identity } })).rejects.toThrow('is moved to itself')
    await expect(refused({ [bob]: { movePrecompileToAddress: alice } })).rejects.toThrow('is not a precompile')
    const ripemd = '0x0000000000000000000000000000000000000003'
    await expect(
      refused({ [identity]: { movePrecompileToAddress: target }, [ripemd]: { movePrecompileToAddress: target } }),
    ).rejects.toThrow('two precompiles are moved')
  })

  it('shows whole transactions when asked', async () => {
    const [block] = await simulate([{ calls: [increment()] }], { returnFullTransactions: true })
    expect(block?.transactions).toMatchObject([{ from: alice, to: counter, type: '0x2', blockHash: block?.hash }])
  })

  it('holds calls to the rules of transactions when told to', async () => {
    const { baseFeePerGas } = await network.client.getBlock()
    const fees = { maxFeePerGas: quantity(2n * (baseFeePerGas ?? 0n)), gas: '0xf4240' }
    const [block] = await simulate([{ calls: [{ ...increment(), ...fees }] }], { validation: true })
    expect(block?.calls[0]?.status).toBe('0x1')
    const failure = async (call: Json, validation = true) => {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_simulateV1',
        params: [{ blockStateCalls: [{ calls: [call] }], validation }],
      }
      const answer = await fetch(network.url, { method: 'POST', body: JSON.stringify(body) })
      return ((await answer.json()) as { error?: { code: number } }).error?.code
    }
    const nonce = quantity(BigInt(await network.client.getTransactionCount({ address: alice })) + 5n)
    expect(await failure({ ...increment(), ...fees, nonce })).toBe(-38011)
    expect(await failure({ ...increment(), gas: '0xf4240', maxFeePerGas: '0x1' })).toBe(-38012)
    expect(await failure({ ...increment(), ...fees, gas: '0x5' })).toBe(-38013)
    expect(await failure({ ...increment(), from: stranger, ...fees, value: '0x5' })).toBe(-38014)
    expect(await failure({ ...increment(), gas: '0xffffffffff' })).toBe(-38015)
    // A contract may send; it has nothing to pay with.
    expect(await failure({ ...increment(), from: counter })).toBe(-38012)
    expect(await failure({ ...increment(), from: counter, ...fees })).toBe(-38014)
    expect(await failure({ from: alice, to: bob, value: quantity(parseEther('1000000')) }, false)).toBe(-38014)
  })

  it('refuses blocks that do not grow', async () => {
    await expect(simulate([{ blockOverrides: { number: '0x1' } }])).rejects.toThrow('block numbers must be in order')
    await expect(simulate([{ blockOverrides: { time: '0x1' } }])).rejects.toThrow('block timestamps must be in order')
    const time = '0x80000000'
    await expect(simulate([{ blockOverrides: { time } }, { blockOverrides: { time } }])).rejects.toThrow(
      'block timestamps must be in order: 2147483648 <= 2147483648',
    )
    await expect(simulate([{ blockOverrides: { number: '0xffffff' } }])).rejects.toThrow('more than 256 blocks')
    await expect(simulate([])).rejects.toThrow('is empty')
  })

  it('answers viem', async () => {
    const results = await network.client.simulateCalls({
      account: alice,
      calls: [
        { to: counter, abi, functionName: 'increment' } as never,
        { to: counter, abi, functionName: 'number' } as never,
      ],
    })
    expect(results.results[1]).toMatchObject({ status: 'success', result: 8n })
  })
})

describe('calls', () => {
  it('run many, each after the other', async () => {
    const bundles = [
      { transactions: [increment(), read(), revert()] },
      { transactions: [read()], blockOverride: { number: '0x77' } },
    ]
    expect(await here('eth_callMany', bundles, { blockNumber: 'latest' })).toEqual([
      [{ value: expect.any(String) }, { value: word(8n) }, { error: 'execution reverted' }],
      [{ value: word(8n) }],
    ])
  })

  it('are given the access list that anvil gives them', async () => {
    const amounts = encodeFunctionData({
      abi: artifacts.UniswapV2Router02.abi,
      functionName: 'getAmountsOut',
      args: [10n ** 18n, [uniswap.tokenA, uniswap.tokenB]],
    })
    const request = { from: alice, to: uniswap.router, data: amounts }
    type List = { accessList: { address: Address; storageKeys: Hex[] }[]; gasUsed: Hex }
    const sorted = ({ accessList }: List) =>
      accessList
        .map(({ address, storageKeys }) => ({ address: address.toLowerCase(), storageKeys: [...storageKeys].sort() }))
        .sort((a, b) => (a.address < b.address ? -1 : 1))
    const ours = await here<List>('eth_createAccessList', request, 'latest')
    const theirs = await there<List>('eth_createAccessList', request, 'latest')
    expect(sorted(ours)).toEqual(sorted(theirs))
    expect(ours.gasUsed).toBe(theirs.gasUsed)
    expect(await here('eth_createAccessList', revert(), 'latest')).toMatchObject({ error: 'execution reverted' })
    // What is given stays in the list, beside what is found, but accounts that are warm anyway.
    const given = [
      { address: `0x${'ab'.repeat(20)}`, storageKeys: [word(1n), word(2n)] },
      { address: uniswap.router.toLowerCase(), storageKeys: [] },
      { address: alice.toLowerCase(), storageKeys: [word(3n)] },
      { address: ours.accessList[0]?.address, storageKeys: [word(77n)] },
    ]
    const kept = await here<List>('eth_createAccessList', { ...request, accessList: given }, 'latest')
    const [{ address: found = alice, storageKeys = [] } = {}, ...others] = ours.accessList
    const expected = [
      given[0],
      given[2],
      { address: found, storageKeys: [...storageKeys, word(77n)] },
      ...others,
    ] as List['accessList']
    expect(sorted(kept)).toEqual(sorted({ ...ours, accessList: expected }))
  })
})

describe('followed keys in several simulated blocks', () => {
  const numbers = (blocks: SimulatedBlock[]) => blocks.map(({ calls }) => BigInt(calls.at(-1)?.returnData ?? 0n))
  const block = (more: Json = {}) => ({ calls: [increment(), read()], ...more })

  it('lose what a block wrote when it ends, as in blocks that are sealed, and keep what overrides say', async () => {
    await here('dev_followSlots', counter, [0])
    try {
      expect(numbers(await simulate([block(), block(), { calls: [read()] }]))).toEqual([8n, 8n, 7n])
      const given = block({ stateOverrides: { [counter]: { stateDiff: { [word(0n)]: word(20n) } } } })
      expect(numbers(await simulate([block(), given, block()]))).toEqual([8n, 21n, 21n])
      const bundle = { transactions: [increment(), read()] }
      const many = () => here<{ value: Hex }[][]>('eth_callMany', [bundle, bundle], { blockNumber: 'latest' })
      expect((await many()).map((results) => results.at(-1)?.value)).toEqual([word(8n), word(8n)])
    } finally {
      await here('dev_unfollowSlots', counter, [0])
    }
    expect(numbers(await simulate([block(), block()]))).toEqual([8n, 9n])
  })

  it('include the account of a sender, whose nonce is the live one in each block', async () => {
    await here('dev_followAccount', bob)
    try {
      const live = await network.client.getTransactionCount({ address: bob })
      const transfer = { from: bob, to: stranger, value: '0x1' }
      const calls = [transfer, transfer]
      const blocks = await simulate([{ calls }, { calls }], { returnFullTransactions: true })
      const nonces = blocks.map(({ transactions }) => transactions.map((each) => Number((each as Json).nonce)))
      expect(nonces).toEqual([
        [live, live + 1],
        [live, live + 1],
      ])
    } finally {
      await here('dev_unfollowAccount', bob)
    }
  })
})

describe('reads', () => {
  it('proves what upstream has, and refuses to prove what was changed here', async () => {
    const block = quantity(await live.getBlockNumber())
    const proof = await here('eth_getProof', counter, [word(0n)], 'latest')
    expect(proof).toEqual(await there('eth_getProof', counter, [word(0n)], block))
    await here('dev_setStorageAt', counter, '5', word(1n))
    await expect(here('eth_getProof', counter, [word(0n)], 'latest')).rejects.toThrow('it was changed on this network')
    await here('evm_mine')
    expect(await here('eth_getProof', counter, [word(0n)], block)).toEqual(proof)
    await here('dev_followAccount', counter)
    await expect(here('eth_getProof', counter, [], 'latest')).rejects.toThrow('it is followed')
    await here('dev_unfollowAccount', counter)
  })

  it('reads slots of several accounts at once', async () => {
    const values = await here('eth_getStorageValues', { [counter]: ['0x0', word(9n)], [stranger]: ['0x1'] }, 'latest')
    expect(values).toEqual({ [counter]: [word(7n), word(0n)], [stranger]: [word(0n)] })
  })

  it('shows headers, uncles and raw transactions on both sides of the fork', async () => {
    const hash = await network.client.sendTransaction({ to: bob, value: 1n })
    const own = await network.client.getBlock()
    const old = await live.getBlock({ blockNumber: 3n })
    for (const block of [own, old]) {
      const number = quantity(block.number)
      const header = await here('eth_getHeaderByNumber', number)
      expect(header).toMatchObject({ number, hash: block.hash, parentHash: block.parentHash })
      expect(header).not.toHaveProperty('transactions')
      expect(await here('eth_getHeaderByHash', block.hash)).toEqual(header)
      expect(await here('erigon_getHeaderByNumber', number)).toEqual(header)
      expect(await here('eth_getUncleCountByBlockNumber', number)).toBe('0x0')
      expect(await here('eth_getUncleCountByBlockHash', block.hash)).toBe('0x0')
      expect(await here('eth_getUncleByBlockNumberAndIndex', number, '0x0')).toBeNull()
      expect(await here('eth_getUncleByBlockHashAndIndex', block.hash, '0x0')).toBeNull()
      const raw = await here<Hex>('eth_getRawTransactionByBlockNumberAndIndex', number, '0x0')
      expect(keccak256(raw)).toBe(block.transactions[0])
      expect(await here('eth_getRawTransactionByBlockHashAndIndex', block.hash, '0x0')).toBe(raw)
      expect(await here('eth_getRawTransactionByBlockHashAndIndex', block.hash, '0x9')).toBeNull()
      await expect(here('eth_getBlockAccessList', number)).rejects.toThrow('EIP-7928')
    }
    expect(keccak256(await here<Hex>('eth_getRawTransactionByHash', hash))).toBe(hash)
    expect(await here('eth_getHeaderByNumber', '0xffffff')).toBeNull()
  })

  it('shows what waits', async () => {
    await here('dev_setMiningMode', 'manual')
    const nonce = await network.client.getTransactionCount({ address: alice })
    const common = { to: bob, value: 1n, gas: 21_000n } as const
    const next = await network.client.sendTransaction({ ...common, nonce })
    const later = await network.client.sendTransaction({ ...common, nonce: nonce + 3 })
    expect(await here('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' })
    const content = { pending: { [nonce]: { hash: next } }, queued: { [nonce + 3]: { hash: later } } }
    expect(await here('txpool_contentFrom', alice)).toMatchObject(content)
    expect(await here('txpool_content')).toMatchObject({
      pending: { [alice]: content.pending },
      queued: { [alice]: content.queued },
    })
    expect(await here('txpool_contentFrom', bob)).toEqual({ pending: {}, queued: {} })
    const { pending } = await here<{ pending: Record<string, Record<string, string>> }>('txpool_inspect')
    expect(pending[alice]?.[nonce]).toMatch(/^0x[\da-f]{40}: 1 wei \+ 21000 gas × \d+ wei$/)
    expect(await here('eth_pendingTransactions')).toMatchObject([{ hash: next, blockHash: null }])
    expect(await network.client.getTxpoolStatus()).toEqual({ pending: 1, queued: 1 })
    await here('dev_setMiningMode', 'instant')
    await requireSuccess(network.client, next)
  })
})
