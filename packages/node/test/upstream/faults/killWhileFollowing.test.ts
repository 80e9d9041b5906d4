import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  type CommandRun,
  connectClient,
  deployUniswapV2,
  startAnvil,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { pad, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../runCommand.ts'
import { eventually } from '../../startNetwork.ts'

let anvil: Anvil
let live: TestClient
let uniswap: UniswapV2
let directory: string
let run: CommandRun
let client: TestClient

const start = async () => {
  run = runCommand(['start', '--fork-url', anvil.url, '--port', '0', '--data-dir', directory], directory)
  client = await connectClient(await run.listening)
}
const rpc = <T>(method: string, params: unknown[] = []) =>
  client.request({ method, params } as never, { retryCount: 0 }) as Promise<T>
const reserves = (of: TestClient) => of.getStorageAt({ address: uniswap.pair, slot: pad('0x8') })
const untilBaseIsLive = async () => {
  const head = Number(await live.getBlockNumber())
  await eventually(
    () => rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    ({ base }) => base.number >= head,
  )
}
const crash = async () => {
  run.child.kill('SIGKILL')
  await run.ended
  await start()
}

beforeAll(async () => {
  anvil = await startAnvil({ blockTime: 1 })
  live = await connectClient(anvil.url)
  uniswap = await deployUniswapV2(live)
  directory = mkdtempSync(join(tmpdir(), 'understudy-following-'))
  await start()
})
afterAll(async () => {
  run?.child.kill('SIGTERM')
  await run?.ended
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

it('freezes, follows and lets go across SIGKILLs, on a chain that mines every second', {
  timeout: 120_000,
}, async () => {
  await untilBaseIsLive()
  expect(await reserves(client)).toBe(await reserves(live))

  await uniswap.swap(parseEther('1'), 'A to B', client)
  const frozen = await reserves(client)
  await crash()
  await uniswap.swap(parseEther('3'), 'B to A')
  await untilBaseIsLive()
  expect(await reserves(client)).toBe(frozen)

  const keys = [uniswap.tokenA, uniswap.tokenB]
  await rpc('dev_followAccount', [uniswap.pair])
  for (const token of keys) await rpc('dev_followTokenBalance', [token, uniswap.pair])
  await crash()
  expect(await reserves(client)).toBe(await reserves(live))
  await uniswap.swap(parseEther('1'), 'A to B')
  await untilBaseIsLive()
  expect(await reserves(client)).toBe(await reserves(live))
  await uniswap.swap(parseEther('2'), 'A to B', client)
  expect(await reserves(client)).toBe(await reserves(live))
  await crash()
  expect(await reserves(client)).toBe(await reserves(live))

  await rpc('dev_unfollowAccount', [uniswap.pair])
  await crash()
  await uniswap.swap(parseEther('1'), 'B to A')
  await untilBaseIsLive()
  expect(await reserves(client)).toBe(await reserves(live))
  expect(await rpc('dev_getFollowed')).toMatchObject({ accounts: [] })
  await rpc('dev_setStorageAt', [uniswap.pair, '8', pad('0x7')])
  await crash()
  expect(await reserves(client)).toBe(pad('0x7'))
})
