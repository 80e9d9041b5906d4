import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, postJsonRpc, startAnvil, startUnderstudy, type Understudy } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'

/** Of the whole process under these attacks, in megabytes; docs/operating.md states it. */
const memoryLimit = 1000

let anvil: Anvil
let network: Understudy
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-'))
  anvil = await startAnvil()
  network = await startUnderstudy([
    '--fork-url',
    anvil.url,
    '--data-dir',
    directory,
    '--log-level',
    'warn',
    '--call-timeout',
    '4',
    '--workers',
    '1',
  ])
})
afterAll(async () => {
  const { code, stderr } = await network.end()
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

const contract = '0x00000000000000000000000000000000000000aa'
/** Returns, or reverts with, 6.8 MB of zeros: 13.6 MB as hex. */
const hugeCode = { returned: '0x6267c2805ff3', reverted: '0x6267c2805ffd' }
const hugeCall = (id: number, code = hugeCode.returned) => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_call',
  params: [{ to: contract }, 'latest', { [contract]: { code } }],
})
const hugeCalls = (count: number, code?: string) => Array.from({ length: count }, (_, id) => hugeCall(id, code))

type Item = { id: unknown; result?: string; error?: { code: number; message: string } }

/** The most memory that the process has held, in megabytes. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${network.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function requireSomeAnswered(items: readonly Item[]): void {
  const answered = items.filter(({ result }) => result?.length === 2 * 0x67c280 + 2)
  const refused = items.filter(({ error }) => error?.message.includes('--answer-limit'))
  const late = items.filter(({ error }) => error?.message.includes('--call-timeout'))
  expect(answered.length).toBeGreaterThan(1)
  expect(refused.length).toBeGreaterThan(1)
  expect(answered.length + refused.length + late.length).toBe(items.length)
}

const chainId = () => postJsonRpc(network.url, 'eth_chainId', [])

describe('answers that are huge', () => {
  it('in a batch over WebSocket are refused each by itself', async () => {
    const socket = await openSocket(network.url)
    const other = await openSocket(network.url)
    const items = (await socket.exchange(JSON.stringify(hugeCalls(45)))) as Item[]
    requireSomeAnswered(items)
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
    expect(await other.request('eth_chainId')).toBe('0x7a69')
    await Promise.all([socket.close(), other.close()])
  })

  it('in a batch over HTTP leave the other calls their answers', async () => {
    const small = { jsonrpc: '2.0', id: 'small', method: 'eth_chainId' }
    const body = JSON.stringify([...hugeCalls(998), small])
    const answered = fetch(network.url, { method: 'POST', body })
    expect(await chainId()).toBe('0x7a69')
    const items = (await (await answered).json()) as Item[]
    expect(items.at(-1)).toEqual({ jsonrpc: '2.0', id: 'small', result: '0x7a69' })
    requireSomeAnswered(items.slice(0, -1))
    expect(peakMemory()).toBeLessThan(memoryLimit)
  })

  it('are refused as errors, too', async () => {
    const response = await fetch(network.url, {
      method: 'POST',
      body: JSON.stringify(hugeCalls(45, hugeCode.reverted)),
    })
    const errors = ((await response.json()) as Item[]).map(({ error }) => error?.code)
    expect(errors.filter((code) => code === 3).length).toBeGreaterThan(1)
    expect(errors).toContain(-32005)
    expect(errors).not.toContain(undefined)
    expect(peakMemory()).toBeLessThan(memoryLimit)
  })

  it('that clients do not read are bounded together, and others are answered', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(network.url)))
    for (const { socket } of sockets) {
      socket.pause()
      for (let count = 0; count < 8; count++) socket.send(JSON.stringify(hugeCall(count)))
    }
    for (let count = 0; count < 3; count++) expect(await chainId()).toBe('0x7a69')
    expect(peakMemory()).toBeLessThan(memoryLimit)
    for (const { socket } of sockets) socket.terminate()
  })

  it('of traces come from a worker thread of the built command', async () => {
    const trace = await postJsonRpc(network.url, 'debug_traceCall', [{ to: contract }, 'latest', {}])
    expect(trace).toEqual({ gas: 21_000, failed: false, returnValue: '0x', structLogs: [] })
    const metrics = await (await fetch(`${network.url}/metrics`)).text()
    expect(metrics).toMatch(/^understudy_worker_threads 1$/m)
  })
})
