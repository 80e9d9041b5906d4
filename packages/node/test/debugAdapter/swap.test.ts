import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  swapAmount as amount,
  narrowLiquidity as narrow,
  swapLine,
  swapPath,
  swapSource,
  wideLiquidity as wide,
} from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { Editor } from './editor.ts'
import { deploySwap, type Swap } from './swapProject.ts'

const folder = mkdtempSync(join(tmpdir(), 'understudy-swap-'))
const file = join(folder, swapPath)
let network: TestNetwork
let swap: Swap
let editor: Editor
beforeAll(async () => {
  mkdirSync(dirname(file))
  writeFileSync(file, swapSource)
  network = await startNetwork({ disableCodeSizeLimit: true })
  swap = await deploySwap(network)
  editor = new Editor([await swap.swap(), '--rpc-url', network.url], folder)
}, 120_000)
afterAll(async () => {
  await editor?.stop()
  await network?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Stops at these lines from now on. */
const stopAt = (...names: string[]) =>
  editor.setBreakpointsRequest({
    source: { path: file },
    breakpoints: names.map((name) => ({ line: swapLine(name) })),
  })
const shown = async (expression: string) =>
  (await editor.evaluateRequest({ expression, frameId: 1, context: 'watch' })).body.result
const names = async () => (await editor.stack()).map(({ name }) => name)

it('steps through a swap of Uniswap V3 and back, with its variables', { timeout: 60_000 }, async () => {
  await editor.begin({}, () => stopAt('target', 'shifts', 'stores', 'settles'))
  expect(await shown('pool')).toBe(swap.pool)
  await editor.go('continue')
  await editor.go('continue')
  const begun = ['remaining', 'tick', 'liquidity'].map((name) => `state.${name}`)
  const values = () => Promise.all(begun.map(shown))
  expect(await values()).toEqual([String(amount), '-1', String(wide + narrow)])
  const inSwap = await names()
  expect(inSwap).toEqual(['Pool.swap', 'Router.exactInput'])
  expect([await shown('step.tickNext'), await shown('slot0.unlocked')]).toEqual(['-600', 'false'])

  // Into the library, whose file is not in the folder but on the network, and out of it.
  await editor.go('stepIn')
  const [library] = await editor.stack()
  expect([library?.name, library?.source?.path]).toEqual([
    'TickMath.getSqrtRatioAtTick',
    'uniswap-v3-core/contracts/libraries/TickMath.sol',
  ])
  const { content } = (await editor.sourceRequest({ sourceReference: library?.source?.sourceReference as number })).body
  expect(content).toContain('library TickMath')
  expect((await editor.scope('Local variables')).get('tick')?.value).toBe('-600')
  await editor.go('stepOut')
  expect(await names()).toEqual(inSwap)

  await editor.go('continue')
  expect([await shown('net'), await shown('state.liquidity')]).toEqual([String(narrow), String(wide + narrow)])
  const toStores = async () => {
    for (;;) {
      await editor.go('continue')
      if ((await editor.stack())[0]?.line === swapLine('stores')) return
    }
  }
  await toStores()
  const after = await values()
  expect([after[0], after[2]]).toEqual(['0', String(wide)])
  expect([await shown('slot0.tick'), await shown('liquidity')]).toEqual(['0', String(wide + narrow)])
  await editor.go('continue')
  expect(await names()).toEqual(['Router.uniswapV3SwapCallback', 'Pool.swap', 'Router.exactInput'])
  expect([await shown('payment.payer'), await shown('amount0')]).toEqual([swap.trader, String(amount)])

  await stopAt('begins', 'stores')
  await editor.go('reverseContinue')
  expect([await values(), await shown('slot0.tick')]).toEqual([after, '0'])
  await editor.go('reverseContinue')
  expect((await editor.stack())[0]?.line).toBe(swapLine('begins'))
  expect(await shown('amountSpecified')).toBe(String(amount))
})
