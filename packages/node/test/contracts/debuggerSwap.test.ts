import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  swapAmount as amount,
  narrowLiquidity as narrow,
  swapLine,
  swapPath,
  wideLiquidity as wide,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploySwap, type Swap } from '../debugAdapter/swapProject.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Value = {
  name: string
  role: string
  value: string | null
  problem: string | null
  parts: { entries: Value[] } | null
}
type Variables = {
  locals: { problem: string | null; entries: Value[] }
  entry: { value: string } | null
  entries: { name: string; value: string | null }[]
}
type Position = {
  step: number
  reason: string
  stack: { file: string | null; line: number | null; function: string | null; contract: string | null }[]
}

/** Values by their names; those with parts as objects. */
const shown = (values: readonly Value[]): Record<string, unknown> =>
  Object.fromEntries(
    values.map(({ name, value, problem, parts }) => [name, problem ?? value ?? shown(parts?.entries ?? [])]),
  )

describe('the debugger in a swap of Uniswap V3', () => {
  let network: TestNetwork
  let project: Swap['project']
  let read: Swap['read']
  let priceBefore: bigint
  let pool: Address
  let trader: Address
  let hash: Hex
  let id: string

  beforeAll(async () => {
    network = await startNetwork({ disableCodeSizeLimit: true })
    const deployed = await deploySwap(network)
    ;({ project, read, pool, trader } = deployed)
    ;[priceBefore] = await read<[bigint, number, boolean]>('slot0')
    hash = await deployed.swap()
  }, 120_000)
  afterAll(() => network.stop())

  const to = (name: string, backwards = false, file = swapPath) =>
    network.rpc<Position>('dev_debugStep', id, { lines: [{ file, line: swapLine(name) }] }, backwards)
  const variables = (options: object = {}) => network.rpc<Variables>('dev_debugVariables', id, options)
  const locals = async (options: object = {}) => {
    const { problem, entries } = (await variables(options)).locals
    expect(problem).toBeNull()
    return shown(entries)
  }
  const at = async (expression: string, options: object = {}) => {
    const { locals, entry } = await variables({ ...options, path: expression })
    return entry?.value ?? locals.entries[0]?.value
  }

  it('shows arguments, variables and state on the way there and back', async () => {
    const fromToken = await read<Address>('token0')
    expect((await network.client.getTransactionReceipt({ hash })).status).toBe('success')
    const [priceAfter, tickAfter] = await read<[bigint, number, boolean]>('slot0')
    const token1 = await read<Address>('token1')
    const { abi } = project.deployable('Token')
    const got = await network.client.readContract({ address: token1, abi, functionName: 'balanceOf', args: [trader] })
    id = (await network.rpc<{ id: string }>('dev_debugOpen', hash)).id

    await to('swaps')
    const limit = '4295128740'
    const routed = { pool, amount: String(amount), note: 'for tea', received: '0', limit }
    expect(await locals()).toMatchObject(routed)
    await to('begins')
    const given = { recipient: trader, zeroForOne: 'true', amountSpecified: String(amount), limit }
    expect(await locals()).toMatchObject({ ...given, amount0: '0', amount1: '0' })
    expect(await locals({ level: 1 })).toMatchObject(routed)
    expect([await at('slot0.tick'), await at('slot0.unlocked'), await at('liquidity')]).toEqual([
      '0',
      'false',
      String(wide + narrow),
    ])

    // The first step ends where the word of the bitmap does.
    await to('target')
    await to('target')
    const begun = {
      start: { sqrtPriceX96: String(priceBefore), tick: '0', unlocked: 'false' },
      state: { remaining: String(amount), calculated: '0', tick: '-1', liquidity: String(wide + narrow) },
    }
    expect(await locals()).toMatchObject({ ...given, ...begun, step: { tickNext: '-600', initialized: 'true' } })
    const inMath = await network.rpc<Position>('dev_debugStep', id, { lines: mathLines }, false)
    expect(inMath.stack.map(({ function: name }) => name)).toEqual([
      'SwapMath.computeSwapStep',
      'Pool.swap',
      'Router.exactInput',
    ])
    const target = await at('step.sqrtPriceNextX96', { level: 1 })
    expect(await locals()).toEqual({
      sqrtRatioCurrentX96: String(priceBefore),
      sqrtRatioTargetX96: target,
      liquidity: String(wide + narrow),
      amountRemaining: String(amount),
      feePips: '3000',
      zeroForOne: 'true',
      sqrtRatioNextX96: '0',
      amountIn: '0',
      amountOut: '0',
      feeAmount: '0',
    })
    expect(await locals({ level: 1 })).toMatchObject({ ...given, ...begun })

    await to('shifts')
    expect(await locals()).toMatchObject({ net: String(narrow), state: { sqrtPriceX96: target } })
    await to('shifted')
    expect(await locals()).toEqual({ from: String(wide + narrow), by: String(-narrow), to: '0' })
    await to('stores')
    const state = {
      remaining: '0',
      calculated: String(-(got as bigint)),
      tick: String(tickAfter),
      liquidity: String(wide),
    }
    expect(await locals()).toMatchObject({ state: { ...state, sqrtPriceX96: String(priceAfter) } })
    expect([await at('slot0.tick'), await at('ticks[-600].liquidityNet')]).toEqual(['0', String(narrow)])
    await to('after')
    expect([await at('slot0.tick'), await at('liquidity')]).toEqual([String(tickAfter), String(wide + narrow)])
    expect((await variables({ path: 'state.tick' })).locals.entries).toMatchObject([
      { path: 'state.tick', role: 'local', value: String(tickAfter) },
    ])

    await to('settles')
    const paid = {
      amount0: String(amount),
      amount1: String(-(got as bigint)),
      payment: { payer: trader, note: 'for tea' },
    }
    expect(await locals()).toMatchObject(paid)
    expect(await locals({ level: 1 })).toMatchObject({ ...given, amount0: paid.amount0, amount1: paid.amount1 })
    const gives = await to('gives')
    expect(gives.stack.map(({ function: name }) => name?.replace(/^.*\./, ''))).toEqual([
      'move',
      'uniswapV3SwapCallback',
      'swap',
      'exactInput',
    ])
    expect(await locals()).toEqual({ from: trader, to: pool, amount: String(amount) })
    expect([await at(`balanceOf[${trader}]`), await at(`balanceOf[${pool}]`)]).toEqual(['0', String(wide + narrow)])
    expect(fromToken).not.toBe(token1)
    await to('received')
    expect(await at('amount1')).toBe(paid.amount1)

    await to('stores', true)
    expect(await locals()).toMatchObject({ state: { ...state, sqrtPriceX96: String(priceAfter) } })
    expect(await at('slot0.tick')).toBe('0')
    await to('target', true)
    await to('target', true)
    expect(await locals()).toMatchObject({ ...given, ...begun, step: { tickNext: '-600', initialized: 'true' } })
    await expect(variables({ path: 'state.speed' })).rejects.toThrow(/state has no member speed/)
    await expect(variables({ level: 9 })).rejects.toThrow(/expected at most 1/)
  }, 60_000)

  const mathPath = 'uniswap-v3-core/contracts/libraries/SwapMath.sol'
  const mathSource = readFileSync(createRequire(import.meta.url).resolve(mathPath), 'utf8').split('\n')
  const mathLines = [{ file: mathPath, line: mathSource.findIndex((text) => text.includes('bool exactIn')) + 1 }]

  it('knows every variable at every line of code that was not optimised', async () => {
    id = (await network.rpc<{ id: string }>('dev_debugOpen', hash)).id
    await to('begins')
    const functions = new Set<string | null | undefined>()
    for (let line = 0; line < 150; line++) {
      const { stack } = await network.rpc<Position>('dev_debugStep', id, 'in')
      const { locals } = await variables()
      expect(locals.entries.filter(({ problem }) => problem !== null)).toEqual([])
      if (locals.problem === null) functions.add(stack[0]?.function)
    }
    expect([...functions]).toEqual(expect.arrayContaining(['TickBitmap.position', 'FullMath.mulDiv', 'Pool.swap']))
  }, 60_000)
})
