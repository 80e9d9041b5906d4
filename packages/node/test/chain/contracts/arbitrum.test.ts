import { type RpcCall, type ShapedChain, startShapedChain } from '@understudy/testkit'
import {
  type Address,
  concat,
  decodeEventLog,
  decodeFunctionResult,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  slice,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { arbitrumBlock, l1NumberOf } from '../../upstream/chainShapes.ts'

const precompile = (number: number): Address => pad(numberToHex(number), { size: 20 })
const [arbSysAddress, arbInfo, arbAddressTable, arbGasInfo] = [0x64, 0x65, 0x66, 0x6c].map(precompile) as [
  Address,
  Address,
  Address,
  Address,
]
const arbosState = '0xA4B05FffffFffFFFFfFFfffFfffFFfffFfFfFFFf'

/** https://github.com/OffchainLabs/nitro-precompile-interfaces */
const arbSys = parseAbi([
  'function arbBlockNumber() view returns (uint256)',
  'function arbBlockHash(uint256) view returns (bytes32)',
  'function arbChainID() view returns (uint256)',
  'function arbOSVersion() view returns (uint256)',
  'function isTopLevelCall() view returns (bool)',
  'function mapL1SenderContractAddressToL2Alias(address sender, address unused) pure returns (address)',
  'function wasMyCallersAddressAliased() view returns (bool)',
  'function myCallersAddressWithoutAliasing() view returns (address)',
  'function sendTxToL1(address destination, bytes data) payable returns (uint256)',
  'function withdrawEth(address destination) payable returns (uint256)',
  'event L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)',
  'error InvalidBlockNumber(uint256 requested, uint256 current)',
])
const others = parseAbi([
  'function getBalance(address) view returns (uint256)',
  'function getCode(address) view returns (bytes)',
  'function getL1BaseFeeEstimate() view returns (uint256)',
  'function lookup(address) view returns (uint256)',
  'function register(address) returns (uint256)',
])

/** What a contract of the chain may revert with. */
const refusal = encodeErrorResult({ abi: arbSys, errorName: 'InvalidBlockNumber', args: [1n, 2n] })

/** Sends its input beyond the first word to the address in that word, with its ether, and returns what came back. */
const forwarder: Hex = '0x6020360380602060003760006000916000346000355af13d600060003e6024573d6000fd5b3d6000f3'
const forwarderAddress: Address = `0x${'f0'.repeat(20)}`
/** Calls ArbGasInfo by STATICCALL with each number from 200 to 1. */
const looping: Hex = '0x60c85b806000526000600060206000606c5afa506001900380600257'
const loopingAddress: Address = `0x${'10'.repeat(20)}`
const receiver: Address = `0x${'11'.repeat(20)}`

/** Where ArbOS keeps the hash of a block of L1: written anew from nitro's arbos/storage/storage.go. */
function hashSlot(number: bigint): Hex {
  const key = pad(numberToHex(1n + (number % 256n)))
  return concat([slice(keccak256(concat([keccak256('0x06'), slice(key, 0, 31)])), 0, 31), slice(key, 31)])
}

describe('Arbitrum', () => {
  let chain: ShapedChain
  let network: TestNetwork
  let asked: RpcCall[] = []
  let estimate = 7n
  const l1Hash = `0x${'1a'.repeat(32)}` as const

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 42161, hardfork: 'prague' },
      block: arbitrumBlock,
      missing: ['eth_config'],
      answer(call) {
        const [request] = (call.params ?? []) as [{ to?: Address; data?: Hex }]
        if (call.method !== 'eth_call' || ![arbGasInfo, arbAddressTable].includes(request.to as Address))
          return undefined
        asked.push(call)
        if (request.to === arbAddressTable) return { error: { code: 3, message: 'execution reverted', data: refusal } }
        return { result: encodeFunctionResult({ abi: others, functionName: 'getL1BaseFeeEstimate', result: estimate }) }
      },
    })
    await chain.rpc('anvil_setCode', [arbSysAddress, '0xfe'])
    for (let number = l1NumberOf(0n); number < l1NumberOf(9n); number++)
      await chain.rpc('anvil_setStorageAt', [arbosState, hashSlot(number), l1Hash])
    await chain.rpc('evm_mine')
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
    await network.rpc('dev_setCode', forwarderAddress, forwarder)
    await network.rpc('dev_setCode', loopingAddress, looping)
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  const call = (to: Address, data: Hex, more: object = {}) =>
    network.rpc<Hex>('eth_call', { to, data, ...more }, 'latest')
  const throughContract = (to: Address, data: Hex) => call(forwarderAddress, concat([pad(to), data]))
  // biome-ignore lint/suspicious/noExplicitAny: names and arguments of several functions
  const arbSysData = (functionName: any, args: any = []) => encodeFunctionData({ abi: arbSys, functionName, args })
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const ask = async (functionName: any, args: any = []) =>
    decodeFunctionResult({ abi: arbSys, functionName, data: await call(arbSysAddress, arbSysData(functionName, args)) })
  const head = async () => BigInt(await network.rpc<Hex>('eth_blockNumber'))
  const liveNumber = async () =>
    BigInt((await network.rpc<{ base: { number: number } }>('dev_getNetworkInfo')).base.number)
  const send = async (request: object) => {
    const from = network.client.account.address
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from, ...request })
    // biome-ignore lint/suspicious/noExplicitAny: a receipt
    return network.rpc<any>('eth_getTransactionReceipt', hash)
  }
  const answerOf = (opcodes: Hex) => network.rpc<Hex>('eth_call', { data: `${opcodes}60005260206000f3` }, 'latest')

  it('answers NUMBER and BLOCKHASH by the blocks of L1', async () => {
    const l1Number = l1NumberOf(await liveNumber())
    expect(BigInt(await answerOf('0x43'))).toBe(l1Number)
    expect(await answerOf(('0x60014303' + '40') as Hex)).toBe(l1Hash)
    expect(BigInt(await answerOf('0x4340'))).toBe(0n)
    // Blocks of our own keep it, and those for a new head take that of the head.
    const receipt = await send({ to: receiver, value: '0x1' })
    expect(BigInt(await answerOf('0x43'))).toBe(l1Number)
    expect(receipt).toMatchObject({ l1BlockNumber: numberToHex(l1Number), gasUsedForL1: '0x0' })
    expect(await network.rpc('eth_getBlockReceipts', receipt.blockNumber)).toEqual([receipt])
    expect(await network.rpc('eth_getBlockByNumber', receipt.blockNumber, false)).toMatchObject({
      l1BlockNumber: numberToHex(l1Number),
      sendCount: '0x2c6b7',
      sendRoot: `0x${'a'.repeat(64)}`,
    })
    await chain.rpc('evm_mine')
    await eventually(
      async () => BigInt(await answerOf('0x43')),
      (number) => number === l1Number + 1n,
    )
  })

  it('answers ArbSys by the blocks of the network', async () => {
    await send({ to: receiver, value: '0x1' })
    const number = await head()
    const { hash } = await network.rpc<{ hash: Hex }>('eth_getBlockByNumber', numberToHex(number - 1n), false)
    expect({
      number: await ask('arbBlockNumber'),
      hash: await ask('arbBlockHash', [number - 1n]),
      chainId: await ask('arbChainID'),
      version: await ask('arbOSVersion'),
      isTop: await ask('isTopLevelCall'),
      aliased: await ask('wasMyCallersAddressAliased'),
      alias: await ask('mapL1SenderContractAddressToL2Alias', [receiver, receiver]),
    }).toEqual({
      number,
      hash,
      chainId: 42161n,
      version: 95n,
      isTop: true,
      aliased: false,
      alias: getAddress(`0x2222${'11'.repeat(16)}2222`),
    })
    await expect(ask('arbBlockHash', [number])).rejects.toThrow(/revert/)
  })

  it('answers contracts that call it', async () => {
    const from = network.client.account.address
    expect(BigInt(await throughContract(arbSysAddress, arbSysData('arbBlockNumber')))).toBe(await head())
    const caller = arbSysData('myCallersAddressWithoutAliasing')
    const data = concat([pad(arbSysAddress), caller])
    expect(await call(forwarderAddress, data, { from })).toBe(pad(from.toLowerCase() as Hex))
    const twice = concat([pad(forwarderAddress), data])
    expect(await call(forwarderAddress, twice, { from })).toBe(pad(forwarderAddress))
    const isTop = concat([pad(forwarderAddress), pad(arbSysAddress), arbSysData('isTopLevelCall')])
    expect(BigInt(await call(forwarderAddress, isTop))).toBe(0n)
    const receipt = await send({ to: forwarderAddress, data })
    expect(receipt).toMatchObject({ status: '0x1' })
    const trace = await network.rpc('debug_traceTransaction', receipt.transactionHash, { tracer: 'callTracer' })
    expect(trace).toMatchObject({
      output: pad(from.toLowerCase() as Hex),
      calls: [{ type: 'CALL', to: arbSysAddress, input: caller, output: pad(from.toLowerCase() as Hex) }],
    })
  })

  it('records what would go to L1 as an event, and takes its ether', async () => {
    const before = BigInt(await network.rpc<Hex>('eth_getBalance', arbSysAddress, 'latest'))
    const data = arbSysData('sendTxToL1', [receiver, '0xc0ffee'])
    const receipt = await send({ to: forwarderAddress, data: concat([pad(arbSysAddress), data]), value: '0x5' })
    expect(receipt).toMatchObject({ status: '0x1', logs: [{ address: arbSysAddress }] })
    const [{ data: logData, topics }] = receipt.logs
    const { args } = decodeEventLog({ abi: arbSys, data: logData, topics })
    const { timestamp } = await network.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', receipt.blockNumber, false)
    const figures = [BigInt(receipt.blockNumber), l1NumberOf(await liveNumber()), BigInt(timestamp), 5n]
    const hash = keccak256(
      concat([forwarderAddress, receiver, ...figures.map((it) => pad(numberToHex(it))), '0xc0ffee']),
    )
    expect(args).toEqual({
      caller: getAddress(forwarderAddress),
      destination: getAddress(receiver),
      hash: BigInt(hash),
      position: 0x2c6b7n,
      arbBlockNum: figures[0],
      ethBlockNum: figures[1],
      timestamp: figures[2],
      callvalue: 5n,
      data: '0xc0ffee',
    })
    expect(BigInt(await network.rpc<Hex>('eth_getBalance', arbSysAddress, 'latest'))).toBe(before)
    const next = await send({ to: arbSysAddress, data: arbSysData('withdrawEth', [receiver]), value: '0x1' })
    expect(BigInt(next.logs[0].topics[3])).toBe(0x2c6b8n)
    // What reverts leaves nothing.
    const reverted = concat([pad(arbSysAddress), arbSysData('arbBlockHash', [1n << 60n])])
    const failed = await send({ to: forwarderAddress, data: reverted, gas: '0x186a0' })
    expect(failed).toMatchObject({ status: '0x0', logs: [] })
    // withdrawEth by CALL and by STATICCALL.
    const input = '6325e1606360e01b600052'
    expect(BigInt(await answerOf(`0x${input}6000600060246000600060645af1`))).toBe(1n)
    expect(BigInt(await answerOf(`0x${input}600060006024600060645afa`))).toBe(0n)
    await expect(call(arbSysAddress, arbSysData('arbBlockNumber'), { value: '0x1' })).rejects.toThrow(/revert/)
  })

  it('answers other contracts of the chain by the live chain at the base, once for each block', async () => {
    const data = encodeFunctionData({ abi: others, functionName: 'getL1BaseFeeEstimate' })
    // A block for which nothing was asked.
    const number = await liveNumber()
    await chain.rpc('evm_mine')
    await eventually(liveNumber, (now) => now > number)
    asked = []
    estimate = 7n
    expect(BigInt(await call(arbGasInfo, data))).toBe(7n)
    expect(BigInt(await throughContract(arbGasInfo, data))).toBe(7n)
    expect(await send({ to: forwarderAddress, data: concat([pad(arbGasInfo), data]) })).toMatchObject({ status: '0x1' })
    expect(asked).toHaveLength(1)
    estimate = 8n
    await chain.rpc('evm_mine')
    await eventually(
      async () => BigInt(await call(arbGasInfo, data)),
      (now) => now === 8n,
    )
    expect(asked).toHaveLength(2)
    const lookup = encodeFunctionData({ abi: others, functionName: 'lookup', args: [receiver] })
    await expect(throughContract(arbAddressTable, lookup)).rejects.toMatchObject({
      data: refusal,
    })
  })

  it('refuses what writes by name, and what is not known unless it cannot write', async () => {
    const refused = async (data: Hex) => {
      await expect(call(arbAddressTable, data)).rejects.toThrow()
      return throughContract(arbAddressTable, data).catch(({ message }: Error) => message)
    }
    const register = encodeFunctionData({ abi: others, functionName: 'register', args: [receiver] })
    const name = `ArbAddressTable (${arbAddressTable})`
    expect(await refused(register)).toContain(`Only the live chain can run register(address) of ${name}`)
    expect(await refused('0x12345678')).toContain(`${name} has no function 0x12345678 that is known here`)
    asked = []
    // By STATICCALL.
    await answerOf('0x6312345678600052600060006004601c60665afa')
    expect(asked).toHaveLength(1)
  })

  it('answers ArbInfo by the state of the network', async () => {
    await network.rpc('dev_setBalance', receiver, '1234')
    const balance = encodeFunctionData({ abi: others, functionName: 'getBalance', args: [receiver] })
    expect(BigInt(await throughContract(arbInfo, balance))).toBe(1234n)
    const code = encodeFunctionData({ abi: others, functionName: 'getCode', args: [forwarderAddress] })
    const data = await throughContract(arbInfo, code)
    expect(decodeFunctionResult({ abi: others, functionName: 'getCode', data })).toBe(forwarder)
  })

  it.each([0, 1])('answers the same in traces that another thread makes, with %i workers', async (workers) => {
    await network.restart({ workers })
    const live = encodeFunctionData({ abi: others, functionName: 'getL1BaseFeeEstimate' })
    for (const [to, input] of [
      [arbSysAddress, arbSysData('arbBlockNumber')],
      [arbGasInfo, live],
    ] as const) {
      const data = concat([pad(to), input])
      const tracer = '{ fault() {}, result(ctx) { return toHex(ctx.output) } }'
      const traced = await network.rpc('debug_traceCall', { to: forwarderAddress, data }, 'latest', { tracer })
      expect(traced).toBe(await throughContract(to, input))
    }
    const number = await answerOf('0x43')
    const tracer = '{ fault() {}, result(ctx) { return toHex(ctx.output) } }'
    expect(await network.rpc('debug_traceCall', { data: '0x4360005260206000f3' }, 'latest', { tracer })).toBe(number)
    expect(network.node.services.workers().runs).toBeGreaterThan(0)
  })

  it('asks the live chain no more than 64 times for one call', async () => {
    asked = []
    await expect(call(loopingAddress, '0x')).rejects.toThrow(/asks the live chain's own contracts too much/)
    // Nor with more input than its contracts take.
    await expect(throughContract(arbGasInfo, `0x${'00'.repeat(32_769)}`)).rejects.toThrow(/revert/)
    expect(asked).toEqual([])
  })
})
