import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const someone: Address = `0x${'5e'.repeat(20)}`
const gwei = 1_000_000_000n

/** Everything that has to do with fees and kinds of transactions; true of every fork, whatever the network forks. */
function itWorks(fork: string, network: () => TestNetwork): void {
  const hasBaseFee = fork !== 'berlin'
  const types = hasBaseFee ? (['legacy', 'eip2930', 'eip1559'] as const) : (['legacy', 'eip2930'] as const)
  const rpc = <T>(method: string, ...params: unknown[]) => network().rpc<T>(method, ...params)
  const block = (tag: unknown = 'latest') => rpc<Record<string, unknown>>('eth_getBlockByNumber', tag, false)
  const sender = () => network().client.account.address
  const feesOf = (type: string) =>
    type === 'eip1559' ? { maxFeePerGas: 100n * gwei, maxPriorityFeePerGas: gwei } : { gasPrice: 100n * gwei }

  it.each(types)('seals signed transactions of type %s', async (type) => {
    const { client } = network()
    const request = { to: someone, value: 1n, gas: 30_000n, type, ...feesOf(type) }
    const hash = await client.sendTransaction({ ...request, ...(type === 'eip2930' && { accessList: [] }) } as never)
    const receipt = await client.getTransactionReceipt({ hash })
    const { baseFeePerGas } = await client.getBlock({ blockHash: receipt.blockHash })
    expect(receipt).toMatchObject({ status: 'success', type, gasUsed: 21_000n })
    expect(receipt.effectiveGasPrice).toBe(type === 'eip1559' ? (baseFeePerGas ?? 0n) + gwei : 100n * gwei)
    expect(baseFeePerGas === null).toBe(!hasBaseFee)
  })

  it('seals what a client asks for, without a word about fees', async () => {
    const hash = await rpc<Hex>('eth_sendTransaction', { from: sender(), to: someone, value: '0x1' })
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      type: hasBaseFee ? '0x2' : '0x0',
    })
    const { tx } = await rpc<{ tx: object }>('eth_fillTransaction', { from: sender(), to: someone })
    expect(tx).toMatchObject({ type: hasBaseFee ? '0x2' : '0x0' })
    const counter = await deployContract(network().client, artifacts.Counter, [7n])
    expect(
      await network().client.readContract({ address: counter, abi: artifacts.Counter.abi, functionName: 'number' }),
    ).toBe(7n)
    await rpc('dev_setBalance', someone, '1000000000000000000')
    await rpc('dev_impersonateAccount', someone)
    const free = await rpc<Hex>('eth_sendTransaction', { from: someone, to: sender(), value: '0x1' })
    expect(await rpc('eth_getTransactionReceipt', free)).toMatchObject({ status: '0x1' })
  })

  it('answers for fees', async () => {
    await rpc('evm_mine')
    const from = { from: sender(), to: someone, value: '0x1' }
    expect(await rpc('eth_estimateGas', from)).toBe('0x5208')
    expect(await rpc('eth_estimateGas', { ...from, gasPrice: numberToHex(100n * gwei) })).toBe('0x5208')
    expect(BigInt(await rpc<Hex>('eth_gasPrice'))).toBeGreaterThan(0n)
    expect(BigInt(await rpc<Hex>('eth_maxPriorityFeePerGas'))).toBeGreaterThan(0n)
    const { baseFeePerGas, gasUsedRatio } = await rpc<Record<string, unknown[]>>(
      'eth_feeHistory',
      '0x2',
      'latest',
      [50],
    )
    expect([baseFeePerGas?.length, gasUsedRatio?.length]).toEqual([3, 2])
    if (!hasBaseFee) expect(baseFeePerGas).toEqual(['0x0', '0x0', '0x0'])
    for (const tag of ['latest', 'pending']) expect('baseFeePerGas' in (await block(tag))).toBe(hasBaseFee)
    for (const type of ['latest', 'pending']) expect(await rpc('eth_getBlockReceipts', type)).toBeDefined()
    expect(await rpc('debug_getRawBlock', 'latest')).toMatch(/^0x/)
    expect(await rpc('dev_getNetworkInfo')).toBeDefined()
    expect(await rpc('eth_createAccessList', from)).toMatchObject({ gasUsed: '0x5208' })
    expect(await rpc('eth_simulateV1', { blockStateCalls: [{ calls: [from] }] })).toMatchObject([
      { calls: [{ status: '0x1' }] },
    ])
  })

  it.skipIf(hasBaseFee)('refuses what has a base fee, by its name', async () => {
    const refusal = /transaction type not supported/i
    const request = { from: sender(), to: someone, maxFeePerGas: numberToHex(100n * gwei) }
    await expect(rpc('eth_sendTransaction', request)).rejects.toThrow(refusal)
    await expect(
      network().client.sendTransaction({
        to: someone,
        gas: 30_000n,
        type: 'eip1559',
        maxFeePerGas: gwei,
        maxPriorityFeePerGas: 1n,
      }),
    ).rejects.toThrow(refusal)
  })

  it('seals by hand and by a schedule', async () => {
    await rpc('evm_setAutomine', false)
    const hash = await rpc<Hex>('eth_sendTransaction', { from: sender(), to: someone, value: '0x1' })
    expect(await rpc('eth_getTransactionReceipt', hash)).toBe(null)
    expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null })
    await rpc('evm_mine')
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({ type: 'CALL' })
    await rpc('evm_setIntervalMining', 1)
    const later = await rpc<Hex>('eth_sendTransaction', { from: sender(), to: someone, value: '0x1' })
    expect(await network().client.waitForTransactionReceipt({ hash: later })).toMatchObject({ status: 'success' })
    await rpc('evm_setIntervalMining', 0)
    await rpc('evm_setAutomine', true)
  })
}

describe.each(['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'])('a network on %s', (fork) => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork({ hardfork: fork })
  })
  afterAll(() => network?.stop())
  itWorks(fork, () => network)
})

describe('a network that forks a chain before London', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  beforeAll(async () => {
    anvil = await startAnvil({ hardfork: 'berlin' })
    live = await connectClient(anvil.url)
    await live.sendTransaction({ to: someone, value: 5n, gas: 30_000n, type: 'legacy', gasPrice: 100n * gwei })
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  it('reads what upstream has', async () => {
    expect(await live.getBlock()).toMatchObject({ baseFeePerGas: null })
    const blockNumber = await live.getBlockNumber()
    expect(await network.client.getBalance({ address: someone, blockNumber })).toBe(5n)
  })
  itWorks('berlin', () => network)
})

describe('mainnet before London, with the clock of today', () => {
  it('goes on by the rules of then', async () => {
    const start = ['--number', '12900000', '--timestamp', '1627000000']
    const anvil = await startAnvil({ chainId: 1, hardfork: 'berlin', args: start })
    const network = await startNetwork({ forkUrls: [anvil.url] })
    try {
      const { address } = network.client.account
      const sent = await network.rpc<Hex>('eth_sendTransaction', { from: address, to: someone, value: '0x1' })
      expect(await network.rpc('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1', type: '0x0' })
      const block = await network.rpc<Record<string, Hex>>('eth_getBlockByNumber', 'latest', false)
      expect(block).not.toHaveProperty('baseFeePerGas')
      expect(Number(block.timestamp)).toBeGreaterThan(1_627_000_000)
      expect(await network.rpc('eth_call', { to: someone }, 'pending')).toBe('0x')
      const refused = network.rpc('eth_sendTransaction', { from: address, to: someone, maxFeePerGas: '0x1' })
      await expect(refused).rejects.toMatchObject({
        details: expect.stringContaining('transaction type not supported'),
      })
      await network.rpc('evm_mine')
    } finally {
      await network.stop()
      await anvil.stop()
    }
  })
})
