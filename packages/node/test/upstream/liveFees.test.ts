import { type Anvil, type RpcCall, startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const gwei = 1_000_000_000n
const liveFee = (3n * gwei) / 10n

type RawBlock = { number: Hex; baseFeePerGas: Hex; gasLimit: Hex; excessBlobGas: Hex }

describe('fees of a network that follows a live chain', () => {
  let anvil: Anvil
  let network: TestNetwork
  const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
  const latest = () => rpc<RawBlock>('eth_getBlockByNumber', 'latest', false)
  const live = () => anvil.rpc<RawBlock>('eth_getBlockByNumber', ['latest', false])
  const baseNumber = async () => (await rpc<{ base: { number: number } }>('dev_getNetworkInfo')).base.number

  /** The live chain's next block, whose base fee is the same as before. */
  async function mineLive(fee = liveFee): Promise<RawBlock> {
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(fee)])
    await anvil.rpc('evm_mine')
    const head = await live()
    await eventually(baseNumber, (number) => number === Number(head.number))
    return head
  }

  beforeAll(async () => {
    anvil = await startAnvil({})
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url], mine: 'instant' })
  })
  afterEach(() => network?.stop())

  it('does not let the base fee decay while heads come', async () => {
    let head = await mineLive()
    for (let count = 1; count < 150; count++) head = await mineLive()
    const { baseFeePerGas, gasLimit, excessBlobGas } = await latest()
    expect({ baseFeePerGas, gasLimit, excessBlobGas }).toEqual({
      baseFeePerGas: numberToHex(liveFee),
      gasLimit: head.gasLimit,
      excessBlobGas: head.excessBlobGas,
    })
  })

  it('seals the next block at the price that the next live block has', async () => {
    await mineFull()
    const expected = (await anvil.rpc<{ baseFeePerGas: Hex[] }>('eth_feeHistory', ['0x1', 'latest', []])).baseFeePerGas
    expect((await rpc<{ baseFeePerGas: Hex[] }>('eth_feeHistory', '0x1', 'latest', [])).baseFeePerGas[1]).toBe(
      expected[1],
    )
    const from = network.client.account.address
    const hash = await rpc<Hex>('eth_sendTransaction', { from, to: from })
    const receipt = await rpc<{ blockNumber: Hex }>('eth_getTransactionReceipt', hash)
    const own = await rpc<RawBlock>('eth_getBlockByNumber', receipt.blockNumber, false)
    expect(own.baseFeePerGas).toBe(expected[1])
    // From there on it is our own blocks that count.
    await rpc('evm_mine')
    expect(BigInt((await latest()).baseFeePerGas)).toBeLessThan(BigInt(own.baseFeePerGas))
  })

  it('suggests the tip that upstream suggests, and fills it in', async () => {
    const tip = await anvil.rpc<Hex>('eth_maxPriorityFeePerGas')
    expect(await rpc('eth_maxPriorityFeePerGas')).toBe(tip)
    const proxy = await startFaultProxy(anvil.url)
    const answer = (call: RpcCall) => (call.method === 'eth_maxPriorityFeePerGas' ? { result: '0x2a' } : undefined)
    proxy.set({ answer })
    const other = await startNetwork({ forkUrls: [proxy.url] })
    try {
      expect(await other.rpc('eth_maxPriorityFeePerGas')).toBe('0x2a')
      const from = other.client.account.address
      const { tx } = await other.rpc<{ tx: Record<string, Hex> }>('eth_fillTransaction', { from, to: from })
      expect(tx.maxPriorityFeePerGas).toBe('0x2a')
      const price = BigInt(await other.rpc<Hex>('eth_gasPrice'))
      const { baseFeePerGas } = await other.rpc<{ baseFeePerGas: Hex[] }>('eth_feeHistory', '0x1', 'latest', [])
      expect(price).toBe(BigInt(baseFeePerGas[1] as Hex) + 42n)
    } finally {
      await other.stop()
      await proxy.stop()
    }
  })

  it('takes the price of a new head in every mode, and keeps a gas limit that was set by hand', async () => {
    await rpc('evm_setBlockGasLimit', numberToHex(77_000_000))
    await mineLive(5n * gwei)
    expect(await latest()).toMatchObject({ baseFeePerGas: numberToHex(5n * gwei), gasLimit: numberToHex(77_000_000) })
    await rpc('evm_setAutomine', false)
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(9n * gwei)])
    await anvil.rpc('evm_mine')
    const { number } = await live()
    const upstreamHead = async () => (await rpc<{ upstream: { head: number } }>('dev_getNetworkInfo')).upstream.head
    await eventually(upstreamHead, (head) => head === Number(number))
    await rpc('evm_mine')
    expect(await latest()).toMatchObject({ baseFeePerGas: numberToHex(9n * gwei) })
    expect(await baseNumber()).toBe(Number(number))
  })

  /** Fills a live block more than half, so that the next one costs more. */
  async function mineFull(): Promise<void> {
    const [from] = await anvil.rpc<Hex[]>('eth_accounts')
    // Init code that burns all of its gas.
    const request = { from, data: '0x5b600056', gas: numberToHex(16_000_000), maxFeePerGas: numberToHex(gwei) }
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(liveFee)])
    const hash = await anvil.rpc<Hex>('eth_sendTransaction', [{ ...request, maxPriorityFeePerGas: '0x1' }])
    const receipt = () => anvil.rpc<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash])
    const { blockNumber } = (await eventually(receipt, Boolean)) as { blockNumber: Hex }
    await eventually(baseNumber, (base) => base === Number(blockNumber))
  }
})
