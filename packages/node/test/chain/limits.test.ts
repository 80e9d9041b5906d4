import { testAccounts } from '@understudy/testkit'
import { type Hex, numberToHex, size } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const from = testAccounts[0].address
/** Returns so many zero bytes as code. */
const creating = (bytes: number): Hex => `0x62${bytes.toString(16).padStart(6, '0')}5ff3`

const unlimited = { txGasCap: false, disableBlockGasLimit: true, disableMinPriorityFee: true }

let network: TestNetwork
afterEach(() => network?.stop())

const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)

it('creates code of any size, with more gas than a transaction and a block may have', async () => {
  network = await startNetwork({ ...unlimited, disableCodeSizeLimit: true })
  const { gasLimit } = await rpc<{ gasLimit: Hex }>('eth_getBlockByNumber', 'latest', false)
  const gas = BigInt(gasLimit) + 100_000_000n
  const filled = `${creating(200_000)}${'00'.repeat(400_000)}`
  for (const [data, length] of [
    [creating(300_000), 300_000],
    [filled, 200_000],
  ]) {
    const receipt = await rpc<{ status: Hex; contractAddress: Hex; gasUsed: Hex }>('eth_sendTransactionSync', {
      from,
      data,
      gas: numberToHex(gas),
    })
    expect(receipt.status).toBe('0x1')
    expect(Number(receipt.gasUsed)).toBeGreaterThan(1 << 24)
    expect(size(await rpc<Hex>('eth_getCode', receipt.contractAddress, 'latest'))).toBe(length)
  }
  const estimate = await rpc<Hex>('eth_estimateGas', { from, data: creating(300_000) })
  expect(Number(estimate)).toBeGreaterThan(60_000_000)
})

it('suggests no tip where nothing is forked', async () => {
  network = await startNetwork(unlimited)
  expect(await rpc('eth_maxPriorityFeePerGas')).toBe('0x0')
})

it('keeps the limit that is set', async () => {
  network = await startNetwork({ ...unlimited, codeSizeLimit: 40_000 })
  const create = (bytes: number) =>
    rpc<{ status: Hex }>('eth_sendTransactionSync', { from, data: creating(bytes), gas: numberToHex(20_000_000) })
  expect((await create(40_000)).status).toBe('0x1')
  expect((await create(40_001)).status).toBe('0x0')
})
