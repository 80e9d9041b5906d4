import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import {
  type Address,
  concat,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  publicActions,
  serializeTransaction,
  size,
  toFunctionSelector,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { publicActionsL2 } from 'viem/op-stack'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compressedLength } from '../../src/ethereum/chains/l1Fees.ts'
import { bytesFromHex } from '../../src/shared/hex.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { opStackCode } from './opStackPredeploys.ts'

const l1Block: Address = '0x4200000000000000000000000000000000000015'
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000f'
const vaults = {
  base: '0x4200000000000000000000000000000000000019',
  l1: '0x420000000000000000000000000000000000001a',
  operator: '0x420000000000000000000000000000000000001b',
} as const
const someone: Address = `0x${'5e'.repeat(20)}`

/** A chain of the OP Stack with fees of OP Mainnet in 2025: scalars, and what L1 costs. */
const slots: Record<number, bigint> = {
  1: 5_000_000_000n,
  3: (5227n << 96n) | (1_014_213n << 64n) | 3n,
  7: 2_000_000n,
  8: (100n << 64n) | 77n,
}

describe('fees of the layer below', () => {
  let chain: ShapedChain
  let network: TestNetwork
  const options = { mine: 'instant' }

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 777_100, args: ['--network', 'optimism', '--hardfork', 'isthmus'] },
      block: (raw) => ({ ...raw, extraData: '0x00000000fa00000006' }),
    })
    await chain.rpc('anvil_setCode', [l1Block, opStackCode.l1Block])
    await chain.rpc('anvil_setCode', [gasPriceOracle, opStackCode.gasPriceOracle])
    // Ecotone, Fjord and Isthmus are active.
    await chain.rpc('anvil_setStorageAt', [gasPriceOracle, pad('0x0'), pad('0x010101')])
  })
  afterAll(() => chain?.stop())
  beforeEach(async () => {
    for (const [slot, value] of Object.entries(slots))
      await chain.rpc('anvil_setStorageAt', [l1Block, pad(numberToHex(Number(slot))), pad(numberToHex(value))])
    await chain.rpc('evm_mine')
    network = await startNetwork({ ...options, forkUrls: [chain.url] })
  })
  afterEach(() => network?.stop())

  const balance = async (address: Address) => BigInt(await network.rpc<Hex>('eth_getBalance', address, 'latest'))
  const send = async (): Promise<Record<string, Hex>> => {
    const from = network.client.account.address
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from, to: someone, value: '0x1' })
    return network.rpc('eth_getTransactionReceipt', hash)
  }

  it('are found to be there, charged, and shown in the receipt', async () => {
    expect(await network.rpc('dev_getNetworkInfo')).toMatchObject({ chain: { stack: 'optimism' } })
    const sender = network.client.account.address
    const before = await Promise.all([sender, vaults.base, vaults.l1, vaults.operator].map(balance))
    const receipt = await send()
    const after = await Promise.all([sender, vaults.base, vaults.l1, vaults.operator].map(balance))
    const number = (name: string) => BigInt(receipt[name] as Hex)
    // A transfer is smaller than the smallest size that is charged for: 100 bytes.
    const scaled = 5227n * 5_000_000_000n * 16n + 1_014_213n * 2_000_000n
    const l1Fee = (100_000_000n * scaled) / 10n ** 12n
    const operatorFee = (number('gasUsed') * 100n) / 1_000_000n + 77n
    expect(receipt).toMatchObject({
      l1Fee: numberToHex(l1Fee),
      l1GasPrice: numberToHex(5_000_000_000n),
      l1BlobBaseFee: numberToHex(2_000_000n),
      l1BaseFeeScalar: numberToHex(5227n),
      l1BlobBaseFeeScalar: numberToHex(1_014_213n),
      operatorFeeScalar: numberToHex(100n),
      operatorFeeConstant: numberToHex(77n),
    })
    const [paid = 0n, ...given] = after.map((wei, index) => wei - (before[index] as bigint))
    expect(-paid).toBe(1n + number('gasUsed') * number('effectiveGasPrice') + l1Fee + operatorFee)
    const { baseFeePerGas } = await network.rpc<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(given).toEqual([number('gasUsed') * BigInt(baseFeePerGas), l1Fee, operatorFee])
    await network.restart()
    expect(await network.rpc('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt)
  })

  it('are part of what a simulation says that a transaction costs, paid or not', async () => {
    const from = network.client.account.address.toLowerCase()
    const l1Fee = (100_000_000n * (5227n * 5_000_000_000n * 16n + 1_014_213n * 2_000_000n)) / 10n ** 12n
    type Simulated = {
      fee: { gas: string; l1: string; total: string; isCharged: boolean }
      assetChanges: { inferred: boolean; amount: string }[]
      stateChanges: { address: string; balance: { before: string; after: string } | null }[]
    }
    for (const validation of [true, false]) {
      const calls = [{ from, to: someone, value: '0x1' }]
      const { results } = await network.rpc<{ results: [Simulated] }>('dev_simulate', { calls, validation })
      const [{ fee, assetChanges, stateChanges }] = results
      expect(BigInt(fee.l1)).toBe(l1Fee + (21_000n * 100n) / 1_000_000n + 77n)
      expect(fee).toMatchObject({ total: String(BigInt(fee.gas) + BigInt(fee.l1)), isCharged: validation })
      const paid = stateChanges.find(({ address }) => address === from)?.balance
      const lost = BigInt(paid?.before ?? 0) - BigInt(paid?.after ?? 0)
      expect(lost).toBe(1n + (validation ? BigInt(fee.total) : 0n))
      expect(assetChanges).toMatchObject([{ amount: '1', inferred: false }])
    }
  })

  it('are those of the GasPriceOracle, as wallets ask it', async () => {
    const chainId = 777_100
    const client = createWalletClient({
      account: mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 1 }),
      transport: http(network.url),
    })
      .extend(publicActions)
      .extend(publicActionsL2())
    const number = (receipt: Record<string, Hex>, name: string) => BigInt(receipt[name] as Hex)
    // One of the smallest size, and one that FastLZ compresses.
    for (const data of [
      undefined,
      concat(Array.from({ length: 20 }, (_, index) => concat([keccak256(numberToHex(index)), pad('0x')]))),
    ]) {
      const request = await client.prepareTransactionRequest({
        to: someone,
        value: 1n,
        chain: null,
        ...(data && { data }),
      })
      const unsigned = serializeTransaction({ ...request, chainId, type: 'eip1559' } as never)
      const signed = await client.account.signTransaction({ ...request, chainId, type: 'eip1559' } as never)
      const hash = await network.rpc<Hex>('eth_sendRawTransaction', signed)
      const receipt = await network.rpc<Record<string, Hex>>('eth_getTransactionReceipt', hash)
      expect(number(receipt, 'gasUsed')).toBe(request.gas)
      const scaled = 5227n * 5_000_000_000n * 16n + 1_014_213n * 2_000_000n
      const feeOf = (length: number) => {
        const size = 836_500n * BigInt(length) - 42_585_600n
        return ((size < 100_000_000n ? 100_000_000n : size) * scaled) / 10n ** 12n
      }
      const read = (functionName: string, argument: Hex | bigint) =>
        client.readContract({
          address: gasPriceOracle,
          abi: parseAbi([
            'function getL1Fee(bytes) view returns (uint256)',
            'function getL1FeeUpperBound(uint256) view returns (uint256)',
            'function getOperatorFee(uint256) view returns (uint256)',
          ]),
          functionName: functionName as 'getL1Fee',
          args: [argument as Hex],
        })
      const asked = await read('getL1Fee', unsigned)
      // The contract takes 68 bytes for the signature.
      expect(asked).toBe(feeOf(compressedLength(bytesFromHex(unsigned)) + 68))
      expect(number(receipt, 'l1Fee')).toBe(feeOf(compressedLength(bytesFromHex(signed))))
      expect(Number(number(receipt, 'l1Fee')) / Number(asked)).toBeCloseTo(1, 1)
      expect(await read('getL1FeeUpperBound', BigInt(size(unsigned)))).toBeGreaterThanOrEqual(number(receipt, 'l1Fee'))
      const operatorFee = (number(receipt, 'gasUsed') * 100n) / 1_000_000n + 77n
      expect(await read('getOperatorFee', number(receipt, 'gasUsed'))).toBe(operatorFee)
      const plain = { to: someone, value: 1n, data, chain: null }
      expect(await client.estimateOperatorFee(plain as never)).toBe(operatorFee)
    }
  })

  it('are paid when the block is run again', async () => {
    const from = network.client.account.address
    await network.rpc('dev_setMiningMode', 'manual')
    const before = await balance(from)
    const request = { from, to: someone, value: '0x1', gas: '0x5208' }
    const first = await network.rpc<Hex>('eth_sendTransaction', request)
    const second = await network.rpc<Hex>('eth_sendTransaction', request)
    await network.rpc('evm_mine')
    await network.rpc('dev_setMiningMode', 'instant')
    const receipt = await network.rpc<Record<string, Hex>>('eth_getTransactionReceipt', first)
    const number = (name: string) => BigInt(receipt[name] as Hex)
    const operatorFee = (number('gasUsed') * 100n) / 1_000_000n + 77n
    const paid = 1n + number('gasUsed') * number('effectiveGasPrice') + number('l1Fee') + operatorFee
    const traced = await network.rpc<Record<Address, { balance: Hex }>>('debug_traceTransaction', second, {
      tracer: 'prestateTracer',
    })
    expect(BigInt(traced[from.toLowerCase() as Address]?.balance ?? 0)).toBe(before - paid)
  })

  it('are paid before the transaction runs, for all of its gas', async () => {
    // Stores the balance of the sender.
    const watcher: Address = `0x${'3a'.repeat(20)}`
    await network.rpc('dev_setCode', watcher, '0x3231600055')
    const from = network.client.account.address
    const before = await balance(from)
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from, to: watcher, gas: '0x186a0' })
    const receipt = await network.rpc<Record<string, Hex>>('eth_getTransactionReceipt', hash)
    expect(receipt).toMatchObject({ status: '0x1' })
    const seen = BigInt(await network.rpc<Hex>('eth_getStorageAt', watcher, '0x0', 'latest'))
    const [price, l1Fee] = [BigInt(receipt.effectiveGasPrice ?? 0), BigInt(receipt.l1Fee ?? 0)]
    const operatorFee = (gas: bigint) => (gas * 100n) / 1_000_000n + 77n
    expect(before - seen).toBe(100_000n * price + l1Fee + operatorFee(100_000n))
    const gasUsed = BigInt(receipt.gasUsed ?? 0)
    expect(before - (await balance(from))).toBe(gasUsed * price + l1Fee + operatorFee(gasUsed))
  })

  it('are not charged to a sender who cannot pay them', async () => {
    const price = numberToHex(10n ** 12n)
    const poor = `0x${'70'.repeat(20)}`
    await network.rpc('dev_setBalance', poor, String(21_000n * 10n ** 12n))
    await network.rpc('dev_impersonateAccount', poor)
    const request = { from: poor, to: someone, gas: '0x5208', gasPrice: price }
    await expect(network.rpc('eth_sendTransaction', request)).rejects.toThrow(/insufficient funds/)
    // Nor does the pool take what no block can.
    await network.rpc('dev_setMiningMode', 'manual')
    await expect(network.rpc('eth_sendTransaction', request)).rejects.toThrow(/insufficient funds/)
    await network.rpc('dev_setMiningMode', 'instant')
  })

  it('move with the attributes that the live chain takes from L1', async () => {
    const depositor: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
    const figure = (value: bigint, bytes: number) => numberToHex(value, { size: bytes })
    const data = concat([
      toFunctionSelector('setL1BlockValuesIsthmus()'),
      ...[figure(5227n, 4), figure(1_014_213n, 4), figure(0n, 8), figure(1n, 8), figure(2n, 8)],
      ...[figure(6_000_000_000n, 32), figure(2_000_000n, 32), figure(3n, 32), figure(4n, 32)],
      ...[figure(100n, 4), figure(77n, 8)],
    ])
    await chain.rpc('anvil_setBalance', [depositor, numberToHex(10n ** 20n)])
    await chain.rpc('anvil_impersonateAccount', [depositor])
    await chain.rpc('eth_sendTransaction', [{ from: depositor, to: l1Block, data, gas: '0x100000' }])
    await eventually(send, ({ l1GasPrice }) => l1GasPrice === numberToHex(6_000_000_000n))
  })

  it.each([0, 1])('are paid in traces that another thread makes, with %i workers', async (workers) => {
    await network.restart({ workers })
    const receipt = await send()
    const { from, transactionHash, blockNumber } = receipt as { from: Address; transactionHash: Hex; blockNumber: Hex }
    const tracer = '{ fault() {}, result(ctx, db) { return db.getBalance(ctx.from).toString() } }'
    const after = await network.rpc<Hex>('eth_getBalance', from, blockNumber)
    expect(await network.rpc('debug_traceTransaction', transactionHash, { tracer })).toBe(BigInt(after).toString())
    expect(network.node.services.workers().runs).toBeGreaterThan(0)
  })

  it('are not charged with --no-l1-fee', async () => {
    await network.restart({ l1Fee: false })
    expect(await send()).not.toHaveProperty('l1Fee')
  })
})
