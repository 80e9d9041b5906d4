import { setTimeout } from 'node:timers/promises'
import { postJsonRpc } from '@understudy/testkit'
import type { Hex } from 'viem'

/** Transactions per request; they are sealed one after the other. */
const batchSize = 10
/** How often to check whether the network has followed. */
const askMs = 5

/** Sends `transactions` to a network, each sender a batch at a time, until all were sealed or time is up. Throws when one is refused. */
export async function sendAll<Sender>(
  url: string,
  transactions: number,
  {
    senders,
    next,
    onSealed,
    isTimeUp,
  }: {
    senders: readonly Sender[]
    next(sender: Sender): Hex
    onSealed(count: number): void
    isTimeUp(): boolean
  },
): Promise<void> {
  let left = transactions
  await Promise.all(
    senders.map(async (sender) => {
      while (left > 0 && !isTimeUp()) {
        const count = Math.min(batchSize, left)
        left -= count
        const batch = Array.from({ length: count }, () => next(sender))
        await sendBatch(url, batch)
        onSealed(count)
      }
    }),
  )
}

async function sendBatch(url: string, signed: readonly Hex[]): Promise<void> {
  const calls = signed.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }))
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(calls) })
  const answers = (await response.json()) as { error?: { message: string } }[]
  const refused = answers.find(({ error }) => error)
  if (refused) throw new Error(`a transaction was refused: ${JSON.stringify(refused.error)}`)
}

/** Makes the live chain mine `heads` blocks, each when the network has followed the one before, until all were or time is up. */
export async function advanceAll(
  url: string,
  heads: number,
  { mine, onFollowed, isTimeUp }: { mine(): Promise<unknown>; onFollowed(): void; isTimeUp(): boolean },
): Promise<void> {
  const first = await baseOf(url)
  for (let head = 1; head <= heads && !isTimeUp(); head++) {
    await mine()
    while ((await baseOf(url)) < first + head) await setTimeout(askMs)
    onFollowed()
  }
}

type Info = { base: { number: number } }

const baseOf = async (url: string) => (await postJsonRpc<Info>(url, 'dev_getNetworkInfo', [])).base.number
