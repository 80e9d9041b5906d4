import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import {
  type Address,
  createTestClient,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  http,
  numberToHex,
  pad,
  parseAbi,
  publicActions,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { anvil as anvilChain } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ImportResult, localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { inShape } from './rpcSchemas.ts'

const [alice, bob] = testAccounts.map(({ address }) => address.toLowerCase()) as [Address, Address]
const someone: Address = `0x${'5e'.repeat(20)}`

let upstream: Anvil
let network: TestNetwork
/** On the live chain. */
let counter: Address
let token: Address
let reverter: Address
let fork: bigint
beforeAll(async () => {
  upstream = await startAnvil()
  const live = await connectClient(upstream.url)
  await upstream.rpc('anvil_mine', ['0x78'])
  counter = await deployContract(live, artifacts.Counter, [7n])
  reverter = await deployContract(live, artifacts.Reverter)
  token = await deployContract(live, artifacts.PackedToken, [1_000_000n])
  fork = await live.getBlockNumber()
  network = await startNetwork({ forkUrls: [upstream.url] })
  const contracts = [
    localContract('Counter', artifacts.Counter),
    localContract('Reverter', artifacts.Reverter),
    localContract('Events', artifacts.Events),
  ]
  await network.rpc('dev_importContracts', { contracts })
})
afterAll(async () => {
  await network?.stop()
  await upstream?.stop()
})

const ask = async <Answer>(method: string, ...params: unknown[]) =>
  inShape(method, await network.rpc<Answer>(method, ...params))

describe('data of contracts that no one names', () => {
  it('is decoded as calls, with the names that ABIs have', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [bob, 5n] })
    expect(await ask('tenderly_decodeInput', data)).toEqual({
      name: 'transfer',
      confidence: 1,
      decodedArguments: [
        { value: bob, type: 'address', name: 'recipient' },
        { value: '5', type: 'uint256', name: 'amount' },
      ],
    })
    await expect(network.rpc('tenderly_decodeInput', '0x12345678')).rejects.toThrow(
      'no such function with the selector: 0x12345678',
    )
    await expect(network.rpc('tenderly_decodeInput', '0x1234')).rejects.toThrow('begin with a selector of 4 bytes')
  })

  it('has arg0, arg1 and so on for names that are not known, and arrays for tuples', async () => {
    const abi = parseAbi(['function aggregate3((address,bool,bytes)[])'])
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [[[bob, true, '0xab']]] })
    expect(await ask('tenderly_decodeInput', data)).toEqual({
      name: 'aggregate3',
      confidence: 1,
      decodedArguments: [{ value: [[bob, true, '0xab']], type: 'tuple[]', name: 'arg0' }],
    })
  })

  it('is not decoded where it would become much longer than it is', async () => {
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const bytes = `${word(30_000)}${'ab'.repeat(30_000)}`
    const selector = toFunctionSelector('multicall(bytes[])')
    const data = `${selector}${word(32)}${word(2000)}${word(64_000).repeat(2000)}${bytes}`
    await expect(network.rpc('tenderly_decodeInput', data)).rejects.toThrow('no such function with the selector')
    await expect(network.rpc('tenderly_decodeInput', `${selector}${'00'.repeat(131_072)}`)).rejects.toThrow(
      'expected at most 131072 bytes',
    )
  })

  it('is decoded as errors: of imported contracts, and of Solidity', async () => {
    const refused = encodeErrorResult({
      abi: artifacts.Reverter.abi,
      errorName: 'Refused',
      args: [bob, 5n, 'as asked'],
    })
    expect(await ask('tenderly_decodeError', refused)).toMatchObject({
      name: 'Refused',
      decodedArguments: [
        { value: bob, type: 'address', name: 'caller' },
        { value: '5', type: 'uint256', name: 'amount' },
        { value: 'as asked', type: 'string', name: 'why' },
      ],
    })
    const panic = `0x4e487b71${encodeAbiParameters([{ type: 'uint256' }], [17n]).slice(2)}`
    expect(await ask('tenderly_decodeError', panic)).toMatchObject({
      name: 'Panic',
      decodedArguments: [{ value: '17' }],
    })
  })

  it('is decoded as events, of which indexed texts are hashes', async () => {
    const abi = artifacts.Events.abi
    const topics = encodeEventTopics({ abi, eventName: 'Dynamic', args: { key: 'name' } })
    const data = encodeAbiParameters([{ type: 'bytes' }, { type: 'uint256[]' }], ['0xab', [1n, 2n]])
    expect(await ask('tenderly_decodeEvent', topics, data)).toEqual({
      name: 'Dynamic',
      confidence: 1,
      decodedArguments: [
        { value: topics[1], type: 'string', name: 'key', indexed: true },
        { value: '0xab', type: 'bytes', name: 'data', indexed: false },
        { value: ['1', '2'], type: 'uint256[]', name: 'list', indexed: false },
      ],
    })
    await expect(network.rpc('tenderly_decodeEvent', [], '0x')).rejects.toThrow('params[0] (topics): is empty')
    await expect(network.rpc('tenderly_decodeEvent', [pad('0x1')], '0x')).rejects.toThrow(
      'no such event with the topic',
    )
  })

  it('is told apart by the indexed parameters of a transfer', async () => {
    const topic = toEventSelector('Transfer(address,address,uint256)')
    const nft = await ask<{ decodedArguments: { indexed: boolean }[] }>(
      'tenderly_decodeEvent',
      [topic, pad(alice), pad(bob), pad('0x7')],
      '0x',
    )
    expect(nft.decodedArguments.map(({ indexed }) => indexed)).toEqual([true, true, true])
    const fungible = await ask<{ decodedArguments: { indexed: boolean }[] }>(
      'tenderly_decodeEvent',
      [topic, pad(alice), pad(bob)],
      pad('0x7'),
    )
    expect(fungible.decodedArguments.map(({ indexed }) => indexed)).toEqual([true, true, false])
  })
})

describe('signatures', () => {
  it('are listed by selector and topic', async () => {
    expect(await ask('tenderly_functionSignatures', toFunctionSelector('increment()'))).toEqual([
      { name: 'increment', inputs: [] },
    ])
    expect(await ask('tenderly_functionSignatures', '0x12345678')).toEqual([])
    expect(await ask('tenderly_errorSignatures', toFunctionSelector('Refused(address,uint256,string)'))).toMatchObject([
      { name: 'Refused', inputs: [{ type: 'address', name: 'caller' }, { type: 'uint256' }, { type: 'string' }] },
    ])
    expect(await ask('tenderly_eventSignature', toEventSelector('Plain(uint256)'))).toEqual({
      name: 'Plain',
      inputs: [{ type: 'uint256', name: 'value' }],
    })
    await expect(network.rpc('tenderly_eventSignature', pad('0x1'))).rejects.toMatchObject({ code: -32001 })
    await expect(network.rpc('tenderly_functionSignatures', '0x1234')).rejects.toThrow('params[0] (selector)')
  })

  it('of a contract that is removed are forgotten', async () => {
    const selector = toFunctionSelector('chase(uint256,uint256)')
    const { contracts } = await network.rpc<ImportResult>('dev_importContracts', {
      contracts: [localContract('SlotReader', artifacts.SlotReader)],
    })
    expect(await ask('tenderly_functionSignatures', selector)).toHaveLength(1)
    await network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
    expect(await ask('tenderly_functionSignatures', selector)).toEqual([])
  })

  it('of one contract are its ABI', async () => {
    const abi = await ask<{ name?: string }[]>('tenderly_getContractAbi', counter)
    expect(abi.map(({ name }) => name)).toContain('increment')
    await expect(network.rpc('tenderly_getContractAbi', someone)).rejects.toThrow('no such contract with a known ABI')
  })
})

describe('variables of a contract that nothing has asked for', () => {
  it('are encoded as slots', async () => {
    expect(await network.rpc('dev_encodeVariables', { [reverter]: { attempts: '5' } })).toEqual({
      [reverter]: { [pad('0x0')]: pad('0x5') },
    })
  })
})

describe('what happened', () => {
  it('is listed by blocks on both sides of the fork', async () => {
    const hash = await network.client.sendTransaction({ to: someone, value: 1n })
    await network.client.sendTransaction({ to: bob, value: 1n })
    const range = { fromBlock: numberToHex(fork - 1n), toBlock: 'latest' }
    const all = await ask<{ hash: string; blockNumber: string }[]>('tenderly_getTransactionsRange', range)
    expect(all.slice(0, 2).map(({ blockNumber }) => BigInt(blockNumber))).toEqual([fork - 1n, fork])
    expect(all.map(({ hash: each }) => each)).toContain(hash)
    expect(await ask('tenderly_getTransactionRange', { ...range, to: someone })).toMatchObject([{ hash, to: someone }])
    expect(await ask('tenderly_getTransactionsRange', { ...range, from: someone })).toEqual([])
    const before = { from: alice, fromBlock: numberToHex(fork - 50n), toBlock: numberToHex(fork) }
    expect(await ask('tenderly_getTransactionsRange', before)).toHaveLength(3)
    const [first] = await ask<unknown[]>('tenderly_getTransactionsRange', {
      ...range,
      fromBlock: numberToHex(fork + 1n),
    })
    expect(first).toMatchObject({ blockNumber: numberToHex(fork + 1n) })
    await expect(
      network.rpc('tenderly_getTransactionsRange', { fromBlock: '0x1', toBlock: '0xffffff' }),
    ).rejects.toThrow('header not found')
    await expect(network.rpc('tenderly_getTransactionsRange', { ...range, fromBlock: '0x1' })).rejects.toThrow(
      'blocks of the live chain',
    )
  })

  it('is listed for a slot, newest first, one value for each block', async () => {
    const { abi } = artifacts.Counter
    const increment = async () => {
      const hash = await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
      return numberToHex((await network.client.getTransactionReceipt({ hash })).blockNumber)
    }
    const [first, second] = [await increment(), await increment()]
    await network.rpc('tenderly_setStorageAt', counter, pad('0x0'), pad('0x63'))
    expect(await ask('tenderly_getStorageChanges', { address: counter, offset: '0x0' })).toEqual([
      { blockNumber: second, value: pad('0x63') },
      { blockNumber: first, value: pad('0x8') },
    ])
    expect(await ask('tenderly_getStorageChanges', { address: counter, offset: pad('0x9') })).toEqual([])
  })

  it('gives the fees that transactions offer', async () => {
    const paying = { to: bob, value: 1n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 3n * 10n ** 9n }
    await network.client.sendTransaction(paying)
    const fees = await ask<{
      currentBlockNumber: string
      baseFeePerGas: string
      price: Record<'low' | 'medium' | 'high', { maxPriorityFeePerGas: string; waitTime: number }>
    }>('tenderly_suggestGasFee')
    expect(BigInt(fees.currentBlockNumber)).toBe(await network.client.getBlockNumber({ cacheTime: 0 }))
    const { low, medium, high } = fees.price
    expect(BigInt(low.maxPriorityFeePerGas)).toBeLessThanOrEqual(BigInt(medium.maxPriorityFeePerGas))
    expect(BigInt(medium.maxPriorityFeePerGas)).toBeLessThanOrEqual(BigInt(high.maxPriorityFeePerGas))
    expect([low.waitTime, medium.waitTime, high.waitTime]).toEqual([36_000, 24_000, 12_000])
    expect(await ask('tenderly_gasPrice')).toEqual(fees)
  })
})

describe('the admin methods', () => {
  const balanceOf = (holder: Address) =>
    network.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })

  it('answer hashes, and take one address or several', async () => {
    await ask('tenderly_setBalance', [someone, bob], '0x64')
    await ask('tenderly_addBalance', someone, '0x1')
    await ask('tenderly_setErc20Balance', token, [someone, bob], '0x64')
    await ask('tenderly_addErc20Balance', token, bob, '0x1')
    expect([await balanceOf(someone), await balanceOf(bob)]).toEqual([100n, 101n])
    expect(await network.client.getBalance({ address: someone })).toBe(101n)
    await ask('tenderly_setCode', someone, '0x602a60005260206000f3')
    expect((await network.client.call({ to: someone })).data).toBe(pad('0x2a'))
  })

  it('set the largest balance that a token stores, and nothing beside it', async () => {
    await ask('tenderly_setMaxErc20Balance', token, [someone, bob])
    expect([await balanceOf(someone), await balanceOf(bob)]).toEqual([2n ** 128n - 1n, 2n ** 128n - 1n])
    const args = [someone] as const
    const { abi } = artifacts.PackedToken
    expect(await network.client.readContract({ address: token, abi, functionName: 'isFrozen', args })).toBe(false)
    await ask('tenderly_setMaxErc20Balance', token, someone)
    expect(await balanceOf(someone)).toBe(2n ** 128n - 1n)
    await expect(network.rpc('tenderly_setMaxErc20Balance', counter, someone)).rejects.toThrow()
  })

  it('seal blocks, and set the time of the next without sealing it', async () => {
    const before = await network.client.getBlock()
    const hash = await ask('evm_increaseBlocks', '0x3')
    const after = await network.client.getBlock()
    expect([after.number, after.hash]).toEqual([before.number + 3n, hash])
    await network.rpc('tenderly_setNextBlockTimestamp', numberToHex(after.timestamp + 500n))
    expect(await network.client.getBlockNumber({ cacheTime: 0 })).toBe(after.number)
    await network.rpc('evm_mine')
    expect((await network.client.getBlock()).timestamp).toBe(after.timestamp + 500n)
  })

  it('name the state as it is, to go back to', async () => {
    const id = await ask('evm_getLatest')
    await network.rpc('tenderly_setBalance', someone, '0x7')
    expect(await network.rpc('evm_revert', id)).toBe(true)
    expect(await network.client.getBalance({ address: someone })).not.toBe(7n)
  })

  it('have the names that viem makes for a mode that its types do not have', async () => {
    const asked: string[] = []
    const client = createTestClient({
      mode: 'tenderly' as 'anvil',
      chain: anvilChain,
      transport: http(network.url, {
        retryCount: 0,
        onFetchRequest: async (request) => {
          asked.push(((await request.clone().json()) as { method: string }).method)
        },
      }),
    }).extend(publicActions)
    await client.setBalance({ address: someone, value: 10n ** 18n })
    await client.setNonce({ address: someone, nonce: 3 })
    await client.setCode({ address: someone, bytecode: '0x' })
    await client.setStorageAt({ address: someone, index: 1, value: pad('0x7') })
    await client.impersonateAccount({ address: someone })
    await client.sendUnsignedTransaction({ from: someone, to: bob, value: 1n })
    await client.stopImpersonatingAccount({ address: someone })
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 12_345n })
    await client.setCoinbase({ address: bob })
    await client.setBlockTimestampInterval({ interval: 5 })
    await client.mine({ blocks: 2, interval: 1 })
    await client.removeBlockTimestampInterval()
    await client.setLoggingEnabled(true)
    expect(await client.getAutomine()).toBe(true)
    const state = await client.dumpState()
    await client.loadState({ state })
    expect(await client.getTransactionCount({ address: someone })).toBe(4)
    await client.dropTransaction({ hash: pad('0x1') })
    await expect(client.setMinGasPrice({ gasPrice: 1n })).rejects.toThrow('not supported when EIP-1559 is active')
    await expect(client.setRpcUrl('not a URL')).rejects.toThrow(/setRpcUrl|url/i)
    await client.reset()
    expect(await client.getBalance({ address: someone })).toBe(0n)
    const made = asked.filter((name) => name.startsWith('tenderly_')).map((name) => name.slice('tenderly_'.length))
    // All that viem makes of the mode's name.
    expect([...new Set(made)].sort().join(' ')).toBe(
      'dropTransaction dumpState getAutomine impersonateAccount loadState mine removeBlockTimestampInterval reset setBalance setBlockTimestampInterval setCode setCoinbase setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setNonce setRpcUrl setStorageAt stopImpersonatingAccount',
    )
  })
})
