import { testAccounts } from '@understudy/testkit'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const heavy: Address = '0x00000000000000000000000000000000000c0de5'
const [sender, neighbour] = [testAccounts[0].address, testAccounts[4].address]

/** Code that stores its input in slot 0; without input it hashes 32 KiB until 200 000 gas are left, which takes a quarter of a second, and then runs `ending`. */
function hashesThen(ending: string): Hex {
  const setter = (0x14 + ending.length / 2 + 1).toString(16)
  return `0x3660${setter}575b6180005f205062030d405a11600457${ending}005b5f355f5500`
}

/** What it does at the end: things that depend on what changes while it runs, and on what does not. */
const endings: Record<string, string> = {
  'nothing that changes': '600160015560025400',
  'a slot that is written while it runs': '5f54600155',
  'the number of the block': '43600155',
  'the time': '42600155',
  'the price of gas': '3a600155',
  'the balance of the coinbase': '4131600155',
  'the balance of the sender': '3231600155',
  'ether for the coinbase': '5f5f5f5f600141620186a0f1',
  'ether for the sender': '5f5f5f5f600132620186a0f1',
  'a revert': '5f5ffd',
}

const gas = numberToHex(6_000_000)
/** So much that it still runs when the next request arrives, on a quick machine too. */
const muchGas = numberToHex(16_000_000)

type Receipt = { blockNumber: Hex; gasUsed: Hex; effectiveGasPrice: Hex; status: Hex }
type Prestate = Record<Address, { balance?: Hex; nonce?: number; storage?: Record<Hex, Hex> }>

let network: TestNetwork
const send = (transaction: object) => network.rpc<Hex>('eth_sendTransaction', transaction)
const receiptOf = (hash: Hex) => network.rpc<Receipt>('eth_getTransactionReceipt', hash)

const fees = { maxFeePerGas: numberToHex(10n ** 12n), maxPriorityFeePerGas: numberToHex(10n ** 9n) }

/** Sends the heavy transaction, and so many rounds of others until it is sealed. */
async function sendBesideOthers(ending: string, rounds: number): Promise<{ hash: Hex; others: Hex[] }> {
  await network.rpc('dev_setCode', heavy, hashesThen(ending))
  await network.rpc('dev_setBalance', heavy, '0x64')
  let isSealed = false
  const sealed = send({ from: sender, to: heavy, gas, ...fees }).finally(() => {
    isSealed = true
  })
  const others: Hex[] = []
  for (let round = 0; round < rounds && !isSealed; round++) {
    others.push(await send({ from: neighbour, to: sender, value: '0x1', ...fees }))
    const input = numberToHex(others.length, { size: 32 })
    others.push(await send({ from: neighbour, to: heavy, data: input, gas: '0x186a0', ...fees }))
  }
  return { hash: await sealed, others }
}

/** Runs it once more on the state of its block, and compares what the network stored. */
async function expectSameInItsBlock(hash: Hex, { gasUsed, blockNumber }: Receipt): Promise<void> {
  const trace = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { post } = await network.rpc<{ post: Prestate }>('debug_traceTransaction', hash, trace)
  const call = await network.rpc<{ gasUsed: Hex }>('debug_traceTransaction', hash, { tracer: 'callTracer' })
  expect(gasUsed).toBe(call.gasUsed)
  expect(Object.keys(post)).toContain(sender.toLowerCase())
  for (const [address, { balance, nonce, storage = {} }] of Object.entries(post)) {
    if (balance) expect(await network.rpc('eth_getBalance', address, blockNumber)).toBe(balance)
    if (nonce) expect(await network.rpc('eth_getTransactionCount', address, blockNumber)).toBe(numberToHex(nonce))
    for (const [slot, value] of Object.entries(storage))
      expect(await network.rpc('eth_getStorageAt', address, slot, blockNumber)).toBe(value)
  }
}

beforeAll(async () => {
  network = await startNetwork({ hardfork: 'prague' })
})
afterAll(() => network?.stop())

describe('while a transaction runs that takes long', () => {
  it.each(Object.entries(endings))('others are sealed; it comes out as in its block: %s', async (_, ending) => {
    const { hash, others } = await sendBesideOthers(ending, 5)
    const receipt = await receiptOf(hash)
    const first = await receiptOf(others[0] as Hex)
    expect(BigInt(first.blockNumber)).toBeLessThan(BigInt(receipt.blockNumber))
    await expectSameInItsBlock(hash, receipt)
  })

  it('it is sealed in the end, although all that it read changes all the time', async () => {
    const { hash } = await sendBesideOthers(endings['the number of the block'] as string, Number.POSITIVE_INFINITY)
    await expectSameInItsBlock(hash, await receiptOf(hash))
  })

  it('its sender may replace it, and drop it', async () => {
    await network.rpc('dev_setCode', heavy, hashesThen(endings['the time'] as string))
    const transaction = { from: sender, to: heavy, gas: muchGas, maxPriorityFeePerGas: '0x1' }
    const nonce = await network.rpc<Hex>('eth_getTransactionCount', sender, 'pending')
    const replaced = send({ ...transaction, nonce, maxFeePerGas: numberToHex(10n ** 12n) })
    const next = () => network.rpc('eth_getTransactionCount', sender, 'pending')
    await expect.poll(next, { interval: 5 }).not.toBe(nonce)
    const hash = await send({
      from: sender,
      to: neighbour,
      nonce,
      maxFeePerGas: numberToHex(2n * 10n ** 12n),
      maxPriorityFeePerGas: '0x3b9aca00',
    })
    expect((await receiptOf(hash)).status).toBe('0x1')
    expect(await receiptOf(await replaced)).toBeNull()
  })

  it('the next ones of its sender are sealed after it', async () => {
    await network.rpc('dev_setCode', heavy, hashesThen(endings['nothing that changes'] as string))
    const transactions = [{ to: heavy, gas: gas }, { to: neighbour }, { to: neighbour }]
    const nonce = Number(await network.rpc<Hex>('eth_getTransactionCount', sender, 'latest'))
    const hashes = await Promise.all(
      transactions.map((each, index) => send({ from: sender, nonce: numberToHex(nonce + index), ...each })),
    )
    const numbers = await Promise.all(hashes.map(async (hash) => BigInt((await receiptOf(hash)).blockNumber)))
    expect(numbers).toEqual([...numbers].sort((a, b) => Number(a - b)))
  })

  it('is not lost when the mode changes', async () => {
    const sent = send({ from: sender, to: heavy, gas: muchGas })
    const waiting = async () => (await network.rpc<{ pending: Hex }>('txpool_status')).pending
    await expect.poll(waiting, { interval: 5 }).toBe('0x1')
    await network.rpc('evm_setAutomine', false)
    const hash = await sent
    await network.rpc('evm_mine')
    expect((await receiptOf(hash)).status).toBe('0x1')
    await network.rpc('evm_setAutomine', true)
  })
})
