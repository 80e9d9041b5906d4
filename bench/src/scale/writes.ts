import { connectClient, postJsonRpc, testAccounts } from '@understudy/testkit'
import type { Hex } from 'viem'
import { median } from '../times.ts'

/** How many senders wait for an answer at a time when transactions are counted. */
const senders = 20

/** How long a client waits for a transaction, in microseconds, and transactions per second with many senders. */
export async function measureTransactions(
  url: string,
  count: number,
): Promise<{ latency: number; perSecond: number; count: number }> {
  const client = await connectClient(url)
  let nonce = await client.getTransactionCount({ address: testAccounts[0].address })
  const sign = () =>
    testAccounts[0].signTransaction({
      type: 'eip1559',
      chainId: client.chain.id,
      nonce: nonce++,
      to: testAccounts[1].address,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    })
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const raw = await sign()
    const start = performance.now()
    await postJsonRpc(url, 'eth_sendRawTransaction', [raw])
    times.push((performance.now() - start) * 1000)
  }
  const signed: Hex[] = []
  for (let index = 0; index < count * 3; index++) signed.push(await sign())
  const start = performance.now()
  let next = 0
  async function send(): Promise<void> {
    for (let raw = signed[next++]; raw !== undefined; raw = signed[next++])
      await postJsonRpc(url, 'eth_sendRawTransaction', [raw])
  }
  await Promise.all(Array.from({ length: senders }, send))
  const perSecond = signed.length / ((performance.now() - start) / 1000)
  return { latency: median(times.slice(count / 3)), perSecond, count: count + signed.length }
}

/** How long a client waits for a call, in microseconds. */
export async function timeCall(
  url: string,
  count: number,
  call: (index: number) => [method: string, params: unknown[]],
): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    await postJsonRpc(url, ...call(index))
    times.push((performance.now() - start) * 1000)
  }
  return median(times.slice(count / 3))
}
