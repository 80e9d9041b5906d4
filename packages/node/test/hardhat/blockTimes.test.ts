import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock, startAnvil } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { type Rpc, timesOf } from '../chain/times/blockTimes.ts'
import { eventually, startNetwork } from '../startNetwork.ts'

type Step = (rpc: Rpc, times: ReturnType<typeof timesOf>) => Promise<unknown>

const simulator = new URL('../../../../clients/simulator/', import.meta.url)
const day = '0x15180'

const mine: Step = (rpc) => rpc('evm_mine')
const send: Step = (_rpc, times) => times.send()
const inTurn = (...steps: Step[]): Step => {
  return async (rpc, times) => {
    for (const step of steps) await step(rpc, times)
  }
}
const setNext =
  (seconds: number): Step =>
  async (rpc, times) =>
    rpc('evm_setNextBlockTimestamp', (await times.at('latest')) + seconds)
const increase: Step = (rpc) => rpc('evm_increaseTime', 500)

/** What both other networks offer; `method` mines many blocks. */
const stepsWith = (method: string): Record<string, Step> => {
  const mineMany =
    (...params: unknown[]): Step =>
    (rpc) =>
      rpc(method, ...params)
  return {
    'one block': inTurn(mineMany('0x1', day), mine, send),
    'three blocks': inTurn(mineMany('0x3', day), mine, send),
    'without an interval': inTurn(mineMany('0x3'), mine),
    'no block': inTurn(mineMany('0x0', '0x64'), mine),
    'after evm_setNextBlockTimestamp': inTurn(
      setNext(1000),
      mineMany('0x3', '0x3c'),
      mine,
      setNext(10),
      mineMany('0x1', '0x3c'),
      mine,
    ),
    'after evm_increaseTime': inTurn(increase, mineMany('0x3', '0x3c'), mine, increase, mineMany('0x1', '0x3c'), send),
    'a next time': inTurn(setNext(1000), send, increase, mine),
    'a time that is increased and set': inTurn(increase, setNext(1000), increase, mine, mine),
    'evm_mine with a time': inTurn(async (rpc, times) => rpc('evm_mine', (await times.at('latest')) + 77), mine),
  }
}
const anvilSteps: Record<string, Step> = {
  ...stepsWith('anvil_mine'),
  'a fixed interval': inTurn(
    (rpc) => rpc('anvil_setBlockTimestampInterval', 1000),
    (rpc) => rpc('anvil_mine', '0x3'),
    (rpc) => rpc('anvil_mine', '0x2', '0x3c'),
    increase,
    send,
    (rpc) => rpc('anvil_removeBlockTimestampInterval'),
  ),
}

/** Another network has the system's clock, so that seconds may pass in its blocks: none pass here. */
const isNear = (theirs: number[], ours: number[], seconds: number) =>
  theirs.length === ours.length && theirs.every((time, index) => Math.abs(time - (ours[index] ?? 0)) <= seconds)

async function compare(other: Rpc, steps: Record<string, Step>, options: { allowSameTimestamp: boolean }) {
  const network = await startNetwork({ accounts: 1, ...options }, { clock: createFakeClock() })
  const own: Rpc = (method, ...params) => network.rpc(method, ...params)
  try {
    for (const [name, step] of Object.entries(steps)) {
      const [theirs, ours] = [timesOf(other), timesOf(own)]
      await own('evm_mine')
      const found = await ours.between(() => step(own, ours))
      await other('evm_mine')
      const startedAt = performance.now()
      const wanted = await theirs.between(() => step(other, theirs))
      const seconds = 1 + Math.ceil((performance.now() - startedAt) / 1000)
      expect({ name, found, wanted, isNear: isNear(wanted, found, seconds) }).toMatchObject({ name, isNear: true })
    }
  } finally {
    await network.stop()
  }
}

it('anvil gives its blocks the same times', async () => {
  const anvil = await startAnvil()
  try {
    const rpc: Rpc = async (method, ...params) => {
      const result = await anvil.rpc(method, params)
      // anvil answers before the transaction is in a block.
      if (method === 'eth_sendTransaction')
        await eventually(() => anvil.rpc('eth_getTransactionReceipt', [result]), Boolean)
      return result as never
    }
    await compare(rpc, anvilSteps, { allowSameTimestamp: true })
  } finally {
    await anvil.stop()
  }
})

it.skipIf(!existsSync(new URL('node_modules', simulator))).each([false, true])(
  'Hardhat gives its blocks the same times, with the same time allowed: %s (npm ci --prefix clients/simulator)',
  async (allowed) => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-hardhat-'))
    const { openSimulatedNetwork } = await import(new URL('open.mjs', simulator).href)
    const hardhat = await openSimulatedNetwork(directory, { allowBlocksWithSameTimestamp: allowed })
    try {
      const rpc: Rpc = (method, ...params) => hardhat.request(method, params)
      await compare(rpc, stepsWith('hardhat_mine'), { allowSameTimestamp: allowed })
    } finally {
      hardhat.close()
      rmSync(directory, { recursive: true, force: true })
    }
  },
)
