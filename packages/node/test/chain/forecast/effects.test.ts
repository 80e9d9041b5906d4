import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Forecast = {
  transactions: number
  fails: number
  needsGas: number
  costsMore: number
  logsDiffer: number
  transferLogs: number
  stopped: string | null
  entries: { transaction: Hex; effect: string; gasUsed: string; forecastGasUsed: string; reason: string | null }[]
}

const fresh: Address = `0x${'5a'.repeat(20)}`
const writer: Address = `0x${'5b'.repeat(20)}`
const prober: Address = `0x${'5c'.repeat(20)}`

describe('a forecast of Amsterdam', () => {
  let network: TestNetwork
  const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
  const send = (request: object) =>
    rpc<Hex>('eth_sendTransaction', { from: network.client.account.address, ...request })
  const forecast = (request: object) => rpc<Forecast>('dev_forecast', { hardfork: 'amsterdam', ...request })
  const sent: Record<string, Hex> = {}
  beforeAll(async () => {
    network = await startNetwork({ hardfork: 'osaka' })
    // SSTORE(0, 1).
    await rpc('dev_setCode', writer, '0x600160005500')
    // SLOTNUM, which only Amsterdam has: it succeeds where it fails now.
    await rpc('dev_setCode', prober, '0x4b00')
    sent.toFresh = await send({ to: fresh, value: '0x1', gas: numberToHex(21_000n) })
    sent.again = await send({ to: fresh, value: '0x1', gas: numberToHex(21_000n) })
    sent.write = await send({ to: writer, gas: numberToHex(500_000n) })
    sent.probe = await send({ to: prober, gas: numberToHex(100_000n) })
  })
  afterAll(() => network?.stop())

  it('lists what fails, costs more or needs a higher gas limit', async () => {
    const { entries, ...counts } = await forecast({})
    expect(counts).toMatchObject({
      transactions: 4,
      fails: 0,
      needsGas: 1,
      costsMore: 1,
      logsDiffer: 0,
      transferLogs: 2,
      stopped: null,
    })
    expect(entries).toMatchObject([
      { transaction: sent.write, effect: 'costs more', gasUsed: '43106', forecastGasUsed: '125026', reason: null },
      // The account is new, which is state.
      {
        transaction: sent.toFresh,
        effect: 'needs gas',
        gasUsed: '21000',
        forecastGasUsed: '204600',
        reason: 'out of gas',
      },
    ])
  })

  it('of some addresses, or of fewer blocks', async () => {
    expect(await forecast({ addresses: [writer] })).toMatchObject({ transactions: 1, costsMore: 1, needsGas: 0 })
    expect(await forecast({ blocks: 1 })).toMatchObject({ transactions: 1, entries: [] })
  })

  it('of the rules that the network has is empty', async () => {
    expect(await rpc('dev_forecast', { hardfork: 'osaka' })).toMatchObject({ transactions: 4, entries: [] })
    await expect(rpc('dev_forecast', { hardfork: 'frontier' })).rejects.toThrow(/hardfork/)
  })

  it('changes nothing', async () => {
    const before = await rpc('eth_getStorageAt', writer, '0x0', 'latest')
    await forecast({})
    expect(await rpc('eth_getStorageAt', writer, '0x0', 'latest')).toBe(before)
    expect(await rpc('eth_getTransactionReceipt', sent.probe)).toMatchObject({ status: '0x0' })
  })
})
