import assert from 'node:assert/strict'
import type { TestClient } from '@understudy/testkit'
import { type Address, type Hex, numberToHex, pad, parseGwei } from 'viem'
import type { Random } from '../../shared/random.ts'

/** What the network answered, and must therefore know after every restart. */
export type Answered = {
  transactions: Map<Hex, Address>
  balances: Map<Address, bigint>
  slots: Map<Hex, Hex>
  impersonated: Set<Address>
  lowestHead: bigint
}

export const emptyAnswers = (): Answered => ({
  transactions: new Map(),
  balances: new Map(),
  slots: new Map(),
  impersonated: new Set(),
  lowestHead: 0n,
})

const contract: Address = `0x${'c0'.repeat(20)}`
const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, 'b')}`

/**
 * Sends changes, one after the other, until the network dies; remembers what was answered.
 * Calls `enough` when the `count`-th was.
 */
export async function load(
  client: TestClient,
  answered: Answered,
  { random, count, enough }: { random: Random; count: number; enough: () => void },
): Promise<void> {
  let nonce = await client.getTransactionCount({ address: client.account.address })
  const rpc = (method: string, params: unknown[]) => client.request({ method, params } as never, { retryCount: 0 })
  for (let sent = 0; ; sent++) {
    if (sent === count) enough()
    const index = random.below(1_000_000)
    const address = addressOf(index)
    switch (index % 4) {
      case 0: {
        const fees = { gas: 21_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
        const hash = await client.sendTransaction({ to: address, value: 1n, nonce, ...fees })
        nonce++
        answered.transactions.set(hash, address)
        break
      }
      case 1:
        await rpc('dev_setBalance', [address, String(index)])
        answered.balances.set(address, BigInt(index))
        break
      case 2: {
        const slot = pad(numberToHex(index))
        await rpc('dev_setStorageAt', [contract, slot, pad(numberToHex(index + 1))])
        answered.slots.set(slot, pad(numberToHex(index + 1)))
        break
      }
      default:
        await rpc('dev_impersonateAccount', [address])
        answered.impersonated.add(address)
    }
    answered.lowestHead = await client.getBlockNumber()
  }
}

/** Asks for everything that was answered. Answers how much that was. */
export async function check(client: TestClient, answered: Answered): Promise<number> {
  const { transactions, balances, slots, impersonated } = answered
  assert((await client.getBlockNumber()) >= answered.lowestHead, 'the head went back')
  for (const [hash, to] of transactions) {
    const receipt = await client.getTransactionReceipt({ hash })
    assert.deepEqual([receipt.status, receipt.to], ['success', to])
  }
  for (const [address, balance] of balances) assert((await client.getBalance({ address })) >= balance, address)
  for (const [slot, value] of slots) assert.equal(await client.getStorageAt({ address: contract, slot }), value)
  const listed = await client.request({ method: 'dev_getImpersonatedAccounts' as never })
  assert.deepEqual(
    [...impersonated].filter((address) => !(listed as Address[]).includes(address)),
    [],
  )
  return transactions.size + balances.size + slots.size + impersonated.size
}
