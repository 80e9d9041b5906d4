import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAccounts } from '@understudy/testkit'
import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

/** PIP-88 of Polygon, without its precompiles. */
const prices = { coldSload: 5460, coldSstore: 2940, sstoreReset: 2060, refundClear: 3960 }
const sender = testAccounts[0].address
/** Adds one to its slot 0. */
const counter: Address = '0x00000000000000000000000000000000000c0dec'
const counts = '0x5f546001015f5500'
/** A cold read and a warm change of what is not zero, with three words of four bytes and the transaction. */
const used = 21_000 + 5460 + 2060 + 10
/** Returns what SLOAD costs there, with the GAS after it. */
const meter: Address = '0x00000000000000000000000000000000000c0ded'
const measures = '0x5a5f54505a90035f5260205ff3'

const directory = mkdtempSync(join(tmpdir(), 'understudy-prices-'))
let network: TestNetwork
beforeAll(async () => {
  const chainProfile = join(directory, 'profile.json')
  writeFileSync(chainProfile, JSON.stringify({ chainId: 31_337, name: 'House chain', hardfork: 'osaka', prices }))
  network = await startNetwork({ chainProfile, workers: 1 })
  await network.rpc('anvil_setCode', counter, counts)
  await network.rpc('anvil_setStorageAt', counter, `0x${'00'.repeat(32)}`, numberToHex(1, { size: 32 }))
  await network.rpc('anvil_setCode', meter, measures)
})
afterAll(async () => {
  await network?.stop()
  rmSync(directory, { recursive: true })
})

type Trace = { gas: number; structLogs: { op: string; gasCost: number }[] }
const accesses = ({ structLogs }: Trace) =>
  structLogs.flatMap(({ op, gasCost }) => (op === 'SLOAD' || op === 'SSTORE' ? [gasCost] : []))
const call = { from: sender, to: counter }

it('counts in calls, estimates, simulations and traces of calls', async () => {
  // With PUSH0, POP and GAS.
  expect(hexToBigInt(await network.rpc<Hex>('eth_call', { to: meter }, 'latest'))).toBe(5460n + 6n)
  const runs = () => network.node.services.workers().runs
  const before = runs()
  const trace = await network.rpc<Trace>('debug_traceCall', call, 'latest', {})
  expect(runs()).toBeGreaterThan(before)
  expect([trace.gas, accesses(trace)]).toEqual([used, [5460, 2060]])
  expect(Number(await network.rpc('eth_estimateGas', call))).toBeGreaterThanOrEqual(used)
  const [block] = await network.rpc<{ calls: { gasUsed: Hex }[] }[]>(
    'eth_simulateV1',
    { blockStateCalls: [{ calls: [call] }] },
    'latest',
  )
  expect(Number(block?.calls[0]?.gasUsed)).toBe(used)
  const list = await network.rpc<{ gasUsed: Hex }>('eth_createAccessList', call)
  expect(Number(list.gasUsed)).toBe(21_000 + 2400 + 1900 + 100 + 2060 + 10)
})

it('counts in blocks, and when these are run again', async () => {
  const hash = await network.rpc<Hex>('eth_sendTransaction', call)
  const { gasUsed } = await network.client.waitForTransactionReceipt({ hash })
  expect(gasUsed).toBe(BigInt(used))
  const trace = await network.rpc<Trace>('debug_traceTransaction', hash, {})
  expect([trace.gas, accesses(trace)]).toEqual([used, [5460, 2060]])
  await network.restart()
  expect(await network.rpc<Trace>('debug_traceTransaction', hash, {})).toEqual(trace)
})
