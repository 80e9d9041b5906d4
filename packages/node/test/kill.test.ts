import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, connectClient, startAnvil, type TestClient, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, numberToHex, pad, parseGwei } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './runCommand.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 50)
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)

let anvil: Anvil
let directory: string
beforeAll(async () => {
  anvil = await startAnvil({ blockTime: 1 })
  directory = mkdtempSync(join(tmpdir(), 'understudy-kill-'))
})
afterAll(async () => {
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** What the network answered, and must therefore know after every restart. */
type Answered = {
  transactions: Map<Hex, Address>
  balances: Map<Address, bigint>
  slots: Map<Hex, Hex>
  impersonated: Set<Address>
  lowestHead: bigint
}

const contract: Address = `0x${'c0'.repeat(20)}`
const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, 'b')}`

/** Sends what it is told to, one after the other, until the network dies; remembers what was answered. */
async function load(client: TestClient, answered: Answered, random: () => number): Promise<void> {
  let nonce = await client.getTransactionCount({ address: client.account.address })
  const rpc = (method: string, params: unknown[]) => client.request({ method, params } as never, { retryCount: 0 })
  for (;;) {
    const index = Math.floor(random() * 1_000_000)
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

async function check(client: TestClient, answered: Answered): Promise<void> {
  expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(answered.lowestHead)
  for (const [hash, to] of answered.transactions)
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', to })
  for (const [address, balance] of answered.balances)
    expect(await client.getBalance({ address })).toBeGreaterThanOrEqual(balance)
  for (const [slot, value] of answered.slots) expect(await client.getStorageAt({ address: contract, slot })).toBe(value)
  const impersonated = await client.request({ method: 'dev_getImpersonatedAccounts' as never })
  expect(impersonated).toEqual(expect.arrayContaining([...answered.impersonated]))
}

it(`remembers everything that it answered, through ${rounds} SIGKILLs (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  let answered: Answered = emptyAnswers()
  let total = 0
  for (let round = 0; round <= rounds; round++) {
    const run = runCommand(['start', '--fork-url', anvil.url, '--port', '0', '--data-dir', directory], directory)
    const client = await connectClient(await run.ready, testAccounts[round % 2])
    await check(client, answered)
    answered = { ...emptyAnswers(), lowestHead: answered.lowestHead }
    if (round < rounds) {
      setTimeout(() => run.child.kill('SIGKILL'), 20 + random() * 400)
      await load(client, answered, random).catch(() => {})
    } else run.child.kill('SIGTERM')
    await run.ended
    total += answered.transactions.size + answered.balances.size + answered.slots.size + answered.impersonated.size
  }
  expect(total).toBeGreaterThan(rounds * 5)
}, 300_000)

const emptyAnswers = (): Answered => ({
  transactions: new Map(),
  balances: new Map(),
  slots: new Map(),
  impersonated: new Set(),
  lowestHead: 0n,
})

/** A repeatable stream of numbers between 0 and 1 (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
