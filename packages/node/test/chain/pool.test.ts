import { startAnvil, startFaultProxy, testAccounts } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const [sender, , recipient] = testAccounts
const from = sender.address.toLowerCase() as `0x${string}`
const transfer = { from, to: recipient.address, gas: 21_000n, value: 1n }

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as const

describe('the pool', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork({ mine: 'manual' })
  })
  afterAll(() => network.stop())

  it('empties over as many blocks as it takes, when several are mined at once', async () => {
    const { rpc, node } = network
    await rpc('evm_setBlockGasLimit', '0xf618')
    for (let index = 0; index < 7; index++) await node.services.submission.send(transfer)
    const first = node.services.history.head().header.number + 1n
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
    const { submission } = network.node.services
    await submission.send(transfer)
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
    const nonce = await submission.pendingNonce(transfer.from)
    const paying = (maxPriorityFeePerGas: bigint) => ({
      ...transfer,
      nonce,
      maxFeePerGas: maxPriorityFeePerGas * 10n ** 11n,
      maxPriorityFeePerGas,
    })
    const first = submission.send(paying(1n))
    await asked
    const late = submission.send(paying(2n))
    await expect(late).rejects.toMatchObject({ kind: 'NONCE_TOO_LOW' })
    await first
    expect(submission.poolSize()).toBe(0)
  } finally {
    await network.stop()
    await proxy.stop()
    await anvil.stop()
  }
})

it('asks upstream once for all that wait, when its head moved since they were let in', async () => {
  const anvil = await startAnvil()
  const proxy = await startFaultProxy(anvil.url)
  const network = await startNetwork({ forkUrls: [proxy.url] })
  try {
    const { submission, history, state, upstream } = network.node.services
    await network.rpc('anvil_autoImpersonateAccount', true)
    // More than one commit takes: the base moves before the last ten.
    const senders = Array.from({ length: 110 }, (_, index) => addressOf(0x5e00 + index))
    await state.write({
      accounts: new Map(senders.map((address) => [address, { balance: 10n ** 20n }])),
      cleared: new Set(),
      slots: new Map(),
    })
    let release = () => {}
    const holding = state.exclusive(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    const base = history.head().base.number
    const sent = senders.map((from, index) =>
      submission.send({ ...transfer, from, to: addressOf(0xc000 + index), nonce: 0n }),
    )
    await eventually(
      async () => submission.poolSize(),
      (size) => size === senders.length,
    )
    await anvil.rpc('evm_mine')
    await eventually(
      async () => upstream()?.head,
      (head) => head === base + 1n,
    )
    proxy.resetStats()
    release()
    await Promise.all([holding, ...sent])
    expect(history.head().base.number).toBe(base + 1n)
    // How much must be read again depends on what is known of the new head by then; a batch has at most 100 calls.
    const { batches, calls } = proxy.stats()
    expect(batches - Math.floor(calls / 100)).toBeLessThan(5)
  } finally {
    await network.stop()
    await proxy.stop()
    await anvil.stop()
  }
})
