import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  type CommandRun,
  type FaultProxy,
  postJsonRpc,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually } from '../startNetwork.ts'
import type { History } from './tracker.ts'

const stateMethods = /^(eth_get(Balance|TransactionCount|Code|StorageAt|Proof|Account)|eth_call)/

let anvil: Anvil
let proxy: FaultProxy
let directory: string
let run: CommandRun
let url: string

const rpc = <T>(method: string, ...params: unknown[]) => postJsonRpc<T>(url, method, params)
const start = async () => {
  run = runCommand(['start', '--fork-url', proxy.url, '--port', '0', '--data-dir', directory], directory)
  url = await run.listening
}
const kill = async () => {
  run.child.kill('SIGKILL')
  return (await run.ended).stderr
}
const mine = async () => {
  await rpc('evm_mine')
  return Number(await rpc('eth_blockNumber'))
}

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
  directory = mkdtempSync(join(tmpdir(), 'understudy-gaps-'))
  await start()
})
afterAll(async () => {
  run?.child.kill('SIGKILL')
  await run?.ended
  await proxy?.stop()
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

it('a gap in the history of an item is in the log, also after the process was killed', {
  timeout: 60_000,
}, async () => {
  const value = { name: 'a value', type: 'native-token-balance', address: `0x${'77'.repeat(20)}` }
  const schedule = { recordTrigger: 'every-n-blocks', trackingFrequency: 1 }
  const { id } = await rpc<{ id: string }>('dev_addTrackedData', { ...value, ...schedule })
  await mine()
  await mine()
  await kill()

  await start()
  // The live chain goes on, but does not answer what the state is.
  proxy.set({ answer: ({ method }) => (stateMethods.test(method) ? new Promise<never>(() => {}) : undefined) })
  const [from] = await anvil.rpc<Hex[]>('eth_accounts')
  await anvil.rpc('eth_sendTransaction', [{ from, to: value.address, value: '0x1' }])
  await eventually(
    () => rpc<{ upstream: { head: number } }>('dev_getNetworkInfo'),
    ({ upstream }) => upstream.head === 1,
  )
  await mine()
  await mine()
  const stderr = await kill()
  proxy.clear()

  await start()
  const reason = 'the state that it reads could not be fetched: upstream did not answer in time'
  expect(await rpc('dev_getTrackedData')).toEqual([expect.objectContaining({ id, lastError: reason })])
  const head = await mine()
  const { values } = await rpc<History>('dev_getTrackedDataValues', id)
  const recorded = values.map(({ blockNumber }) => blockNumber)
  const missing = Array.from({ length: head }, (_, index) => index + 1).filter((block) => !recorded.includes(block))
  expect(missing.length).toBeGreaterThanOrEqual(2)
  expect(recorded.at(-1)).toBe(head)
  const lines = stderr.split('\n').filter((line) => line.includes('Could not record'))
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ block: missing[0], count: 1, items: [id], reason }),
  ])
  expect(await kill()).not.toContain('Could not record')
})
