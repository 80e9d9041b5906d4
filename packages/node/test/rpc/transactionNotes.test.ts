import { type Anvil, startAnvil, testAccounts } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { noteLimit } from '../../src/activity/transactionNotes.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { saveTransactionNote } from '../../src/storage/records/chain/transactionNotes.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let anvil: Anvil
let network: TestNetwork
/** A transaction of the live chain. */
let live: Hex
const [alice, bob] = testAccounts.map(({ address }) => address)
const payment = { from: alice, to: bob, value: '0x1' }

const pay = () => network.rpc<Hex>('eth_sendTransaction', payment)
const set = (hash: Hex, text: string) => network.rpc('dev_setTransactionNote', hash, text)
const notes = async () => {
  const all = await network.rpc<{ transactionHash: Hex; text: string }[]>('dev_getTransactionNotes')
  return Object.fromEntries(all.map(({ transactionHash, text }) => [transactionHash, text]))
}

beforeAll(async () => {
  anvil = await startAnvil()
  live = await anvil.rpc<Hex>('eth_sendTransaction', [payment])
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterEach(() => network.stop())

it('keeps a note over a restart, replaces and removes it', async () => {
  const [first, second] = [await pay(), await pay()]
  expect(await set(first, '  the first\r\nof two  ')).toEqual({ transactionHash: first, text: 'the first\nof two' })
  await set(second, 'the second')
  await network.restart()
  expect(await notes()).toEqual({ [first]: 'the first\nof two', [second]: 'the second' })
  await set(first, 'another text')
  await set(second, '')
  expect(await notes()).toEqual({ [first]: 'another text' })
})

it('deletes notes with their blocks, and keeps those on the live chain', async () => {
  await set(live, 'of the live chain')
  const kept = await pay()
  await set(kept, 'before the snapshot')
  const snapshot = await network.rpc('evm_snapshot')
  await set(await pay(), 'after the snapshot')
  await network.rpc('evm_revert', snapshot)
  expect(await notes()).toEqual({ [live]: 'of the live chain', [kept]: 'before the snapshot' })
  await network.rpc('anvil_reset')
  expect(await notes()).toEqual({ [live]: 'of the live chain' })
})

it('refuses notes on transactions that are in no block', async () => {
  await expect(set(numberToHex(7, { size: 32 }), 'nothing')).rejects.toThrow('is in no block')
  await network.rpc('evm_setAutomine', false)
  const hash = await pay()
  await expect(set(hash, 'waiting')).rejects.toThrow('is in no block')
  await network.rpc('evm_mine')
  await set(hash, 'sealed')
  expect(await notes()).toEqual({ [hash]: 'sealed' })
})

it('refuses texts that are too long or hold what is not shown, and says which parameter', async () => {
  const hash = await pay()
  await expect(set(hash, 'x'.repeat(2001))).rejects.toThrow(/text.*has more than 2000 characters/)
  for (const text of ['a\u0000b', 'a\u001b[2J', 'a\u009bb', 'a\u202eb', 'a\u2066b', 'a\ud800b'])
    await expect(set(hash, text)).rejects.toThrow(/text.*has control characters/)
  await set(hash, 'x'.repeat(2000))
  await set(hash, 'é 漢字 👩‍👩‍👧 <b>')
  expect(await notes()).toEqual({ [hash]: 'é 漢字 👩‍👩‍👧 <b>' })
})

it('keeps so many, and lets those be changed and removed', async () => {
  const [first, second] = [await pay(), await pay()]
  await set(first, 'a text')
  await network.node.stop()
  const database = await openDatabase(network.location)
  await database.transaction(async (transaction) => {
    for (let number = 1; number < noteLimit; number++) {
      const hash = numberToHex(number, { size: 32 })
      await saveTransactionNote(transaction, { hash, blockNumber: undefined, text: 'x', updatedAt: 0 })
    }
  })
  await database.close()
  await network.restart()
  await expect(set(second, 'one too many')).rejects.toThrow(`the limit is ${noteLimit}`)
  await set(first, 'changed')
  await set(first, '')
  await set(second, 'there is room again')
  expect(Object.keys(await notes())).toHaveLength(noteLimit)
})
