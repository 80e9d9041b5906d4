import { startAnvil, startFaultProxy, testAccounts } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from './startNetwork.ts'

const [sender, , recipient] = testAccounts
const from = sender.address.toLowerCase() as `0x${string}`
const transfer = { from, to: recipient.address, gas: 21_000n, value: 1n }

describe('the pool', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork({ mine: 'manual' })
  })
  afterAll(() => network.stop())

  it('empties over as many blocks as it takes, when several are mined at once', async () => {
    const { rpc, node } = network
    await rpc('evm_setBlockGasLimit', '0xf618')
    for (let index = 0; index < 7; index++) await node.services.chain.send(transfer)
    const first = node.services.chain.head().header.number + 1n
    await rpc('anvil_mine', '0x5', '0xa')
    const blocks = await Promise.all(
      [0n, 1n, 2n, 3n, 4n].map((index) => network.client.getBlock({ blockNumber: first + index })),
    )
    expect(blocks.map(({ transactions }) => transactions.length)).toEqual([3, 3, 1, 0, 0])
    const times = blocks.map(({ timestamp }) => timestamp)
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0n))).toEqual([10n, 10n, 10n, 10n])
  })
})

it('refuses those which arrive to replace one that is being sealed', async () => {
  const anvil = await startAnvil()
  const proxy = await startFaultProxy(anvil.url)
  const network = await startNetwork({ forkUrls: [proxy.url], followHead: false })
  try {
    const { chain } = network.node.services
    await chain.send(transfer)
    const item = { address: `0x${'c0'.repeat(20)}`, name: 'cold', type: 'native-token-balance' }
    await network.rpc('dev_addTrackedData', item)
    // The next block waits for what upstream answers about the item.
    const asked = new Promise<void>((resolve) =>
      proxy.set({
        delayMs: 1000,
        answer({ params }) {
          if (JSON.stringify(params).includes(item.address)) resolve()
          return undefined
        },
      }),
    )
    const nonce = await chain.pendingNonce(transfer.from)
    const paying = (maxPriorityFeePerGas: bigint) => ({
      ...transfer,
      nonce,
      maxFeePerGas: maxPriorityFeePerGas * 10n ** 11n,
      maxPriorityFeePerGas,
    })
    const first = chain.send(paying(1n))
    await asked
    const late = chain.send(paying(2n))
    await expect(late).rejects.toMatchObject({ kind: 'NONCE_TOO_LOW' })
    await first
    expect(chain.poolSize()).toBe(0)
  } finally {
    await network.stop()
    await proxy.stop()
    await anvil.stop()
  }
})
