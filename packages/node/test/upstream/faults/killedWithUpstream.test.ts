import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  EndedEarly,
  type FaultProxy,
  postJsonRpc,
  runCommand,
  startAnvil,
  startFaultProxy,
  startUnderstudy,
  testAccounts,
  type Understudy,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../startNetwork.ts'
import { locationOfDirectory } from '../../testDatabase.ts'

const stranger: Address = `0x${'57'.repeat(20)}`
const unread: Address = `0x${'99'.repeat(20)}`

let anvil: Anvil
let proxy: FaultProxy
let reader: Address

beforeEach(async () => {
  anvil = await startAnvil()
  reader = await deployContract(await connectClient(anvil.url), artifacts.SlotReader)
  proxy = await startFaultProxy(anvil.url)
})
afterEach(async () => {
  await proxy.stop()
  await anvil.stop()
})

describe('a process that is killed together with its upstream', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'understudy-alone-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const args = () => ['--fork-url', proxy.url, '--data-dir', directory]
  it('answers the same when it is started alone', async () => {
    const first = await startUnderstudy(args())
    await postJsonRpc(first.url, 'eth_sendTransaction', [{ from: testAccounts[0].address, to: stranger, value: '0x7' }])
    const slot: Hex = `0x${'00'.repeat(32)}`
    const read = async (url: string) => [
      await postJsonRpc(url, 'eth_getStorageAt', [reader, slot, 'latest']),
      await postJsonRpc(url, 'eth_getCode', [reader, 'latest']),
      await postJsonRpc(url, 'eth_getBalance', [stranger, 'latest']),
      await postJsonRpc(url, 'eth_getTransactionCount', [testAccounts[0].address, 'latest']),
      await postJsonRpc(url, 'eth_getBlockByNumber', ['latest', true]),
    ]
    const answers = await read(first.url)
    // What was read is stored at once, and commits come one after the other.
    for (const wei of ['1', '2']) await postJsonRpc(first.url, 'dev_setBalance', [unread, wei])
    await first.end('SIGKILL')
    await proxy.down()

    const second = await startUnderstudy([...args(), '--upstream-timeout', '1000'])
    expect(await read(second.url)).toEqual(answers)
    const { stdout, stderr } = await second.end()
    expect(stdout).toContain('Note: detached from the live chain')
    expect(stderr).toContain('Started without upstream')
  }, 60_000)

  it('seals blocks alone, goes on when the live chain is back, and refuses another at its port', async () => {
    // Started twice, it has the same first block.
    const chain = { args: ['--timestamp', '1700000000'] }
    const started = await startAnvil(chain)
    const start = () =>
      startUnderstudy(['--fork-url', started.url, '--poll-interval', '50', '--data-dir', join(directory, 'network')], {
        environment: locationOfDirectory(directory),
      })
    const first = await start()
    const pay = async ({ url }: Understudy) => {
      const transfer = { from: testAccounts[0].address, to: stranger, value: '0x1' }
      expect(await postJsonRpc(url, 'eth_sendTransactionSync', [transfer])).toMatchObject({ status: '0x1' })
    }
    await pay(first)
    await first.end('SIGKILL')
    await started.stop()

    const second = await start()
    const upstream = async () =>
      (await postJsonRpc<{ upstream: Record<string, unknown> }>(second.url, 'dev_getNetworkInfo', [])).upstream
    expect(await upstream()).toMatchObject({ detached: 'away' })
    await pay(second)
    await expect(postJsonRpc(second.url, 'eth_getBalance', [unread, 'latest'])).rejects.toThrow('upstream unavailable')
    const back = await startAnvil({ ...chain, port: started.port })
    await (await connectClient(back.url)).mine({ blocks: 4 })
    await eventually(
      upstream,
      ({ detached, head, blocksAhead }) => detached === null && head === 4 && blocksAhead === 0,
    )
    await pay(second)
    expect(await postJsonRpc(second.url, 'eth_getBalance', [stranger, 'latest'])).toBe('0x3')

    await back.stop()
    const other = await startAnvil({ chainId: 77, port: started.port })
    await eventually(upstream, ({ detached }) => detached === 'other chain')
    const { stdout } = await runCommand(['status', '--rpc-url', second.url]).ended
    expect(stdout).toContain('; detached from it: another chain answers at its URL')
    await pay(second)
    await second.end()
    await other.stop()
  }, 60_000)

  it('says soon and clearly that a first start needs one', async () => {
    await proxy.down()
    const failure = await startUnderstudy(args()).catch((error) => error)
    expect(failure).toBeInstanceOf(EndedEarly)
    expect(failure.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('refused the connection') })
  }, 30_000)
})
