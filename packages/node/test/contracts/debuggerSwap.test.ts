import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompiledProject, compileProject } from '../compiledProject.ts'
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

const path = 'contracts/Swap.sol'
/** A pool that swaps an exact input by the libraries of Uniswap V3. Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SwapMath} from "uniswap-v3-core/contracts/libraries/SwapMath.sol";
import {Tick} from "uniswap-v3-core/contracts/libraries/Tick.sol";
import {TickBitmap} from "uniswap-v3-core/contracts/libraries/TickBitmap.sol";
import {TickMath} from "uniswap-v3-core/contracts/libraries/TickMath.sol";
import {IUniswapV3SwapCallback} from "uniswap-v3-core/contracts/interfaces/callback/IUniswapV3SwapCallback.sol";

contract Token {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function move(address from, address to, uint256 amount) external {
        balanceOf[from] -= amount; // takes
        balanceOf[to] += amount; // gives
    }
}

contract Pool {
    using Tick for mapping(int24 => Tick.Info);
    using TickBitmap for mapping(int16 => uint256);

    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        bool unlocked;
    }
    struct State {
        int256 remaining;
        int256 calculated;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }
    struct Step {
        int24 tickNext;
        bool initialized;
        uint160 sqrtPriceNextX96;
        uint256 amountIn;
        uint256 amountOut;
        uint256 fee;
    }

    int24 private constant spacing = 60;
    Token public immutable token0 = new Token();
    Token public immutable token1 = new Token();
    Slot0 public slot0 = Slot0(1 << 96, 0, true);
    uint128 public liquidity;
    mapping(int24 => Tick.Info) public ticks;
    mapping(int16 => uint256) public tickBitmap;

    modifier lock() {
        require(slot0.unlocked, "LOK");
        slot0.unlocked = false;
        _;
        slot0.unlocked = true;
    }

    function provide(int24 width, uint128 amount) external lock {
        liquidity += amount;
        _provide(-width, amount, false);
        _provide(width, amount, true);
        token0.mint(address(this), amount);
        token1.mint(address(this), amount);
    }

    function _provide(int24 tick, uint128 amount, bool upper) private {
        uint128 most = type(uint128).max;
        if (ticks.update(tick, slot0.tick, int128(amount), 0, 0, 0, 0, 0, upper, most)) tickBitmap.flipTick(tick, spacing);
    }

    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 limit, bytes calldata data)
        external
        lock
        returns (int256 amount0, int256 amount1)
    {
        Slot0 memory start = slot0; // begins
        State memory state = State(amountSpecified, 0, start.sqrtPriceX96, start.tick, liquidity); // state
        while (state.remaining != 0 && state.sqrtPriceX96 != limit) {
            Step memory step;
            (step.tickNext, step.initialized) =
                tickBitmap.nextInitializedTickWithinOneWord(state.tick, spacing, zeroForOne);
            step.sqrtPriceNextX96 = TickMath.getSqrtRatioAtTick(step.tickNext); // target
            (state.sqrtPriceX96, step.amountIn, step.amountOut, step.fee) = SwapMath.computeSwapStep(
                state.sqrtPriceX96, step.sqrtPriceNextX96, state.liquidity, state.remaining, 3000); // computes
            state.remaining -= int256(step.amountIn + step.fee); // pays
            state.calculated -= int256(step.amountOut); // gets
            if (state.sqrtPriceX96 == step.sqrtPriceNextX96) {
                if (step.initialized) {
                    int128 net = ticks.cross(step.tickNext, 0, 0, 0, 0, 0); // crosses
                    state.liquidity = shifted(state.liquidity, zeroForOne ? -net : net); // shifts
                }
                state.tick = zeroForOne ? step.tickNext - 1 : step.tickNext;
            } else {
                state.tick = TickMath.getTickAtSqrtRatio(state.sqrtPriceX96);
            }
        }
        (slot0.sqrtPriceX96, slot0.tick) = (state.sqrtPriceX96, state.tick); // stores
        liquidity = state.liquidity; // after
        (amount0, amount1) = zeroForOne
            ? (amountSpecified - state.remaining, state.calculated)
            : (state.calculated, amountSpecified - state.remaining);
        (zeroForOne ? token1 : token0).move(address(this), recipient, uint256(-state.calculated)); // sends
        IUniswapV3SwapCallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data); // asks
    }

    function shifted(uint128 from, int128 by) private pure returns (uint128 to) {
        to = uint128(int128(from) + by); // shifted
    }
}

contract Router is IUniswapV3SwapCallback {
    struct Payment {
        address payer;
        string note;
    }

    function exactInput(Pool pool, uint256 amount, string calldata note) external returns (uint256 received) {
        bytes memory data = abi.encode(Payment(msg.sender, note));
        uint160 limit = TickMath.MIN_SQRT_RATIO + 1;
        (, int256 amount1) = pool.swap(msg.sender, true, int256(amount), limit, data); // swaps
        received = uint256(-amount1); // received
        note;
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external override {
        Payment memory payment = abi.decode(data, (Payment));
        amount1;
        Pool(msg.sender).token0().move(payment.payer, msg.sender, uint256(amount0)); // settles
    }
}
`
const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
/** Values by their names; those with parts as objects. */
const shown = (values: readonly Value[]): Record<string, unknown> =>
  Object.fromEntries(
    values.map(({ name, value, problem, parts }) => [name, problem ?? value ?? shown(parts?.entries ?? [])]),
  )

describe('the debugger in a swap of Uniswap V3', () => {
  const amount = 40_000n * 10n ** 18n
  const wide = 10n ** 24n
  const narrow = 10n ** 23n
  let network: TestNetwork
  let project: CompiledProject
  let pool: Address
  let router: Address
  let trader: Address
  let hash: Hex
  let id: string

  const read = <T>(functionName: string, args: unknown[] = []) =>
    network.client.readContract({
      address: pool,
      abi: project.deployable('Pool').abi,
      functionName,
      args,
    }) as Promise<T>
  const deploy = async (name: string) => {
    const sent = await network.client.deployContract({ ...project.deployable(name), args: [], gas: 8_000_000n })
    return getAddress((await network.client.getTransactionReceipt({ hash: sent })).contractAddress as Address)
  }
  const send = (to: Address, name: string, functionName: string, args: unknown[]) =>
    network.client.sendTransaction({
      to,
      data: encodeFunctionData({ abi: project.deployable(name).abi, functionName, args }),
      gas: 3_000_000n,
    } as never)

  beforeAll(async () => {
    project = await compileProject({ [path]: source })
    network = await startNetwork({ disableCodeSizeLimit: true })
    trader = getAddress(network.client.account.address)
    await network.rpc('dev_importContracts', { contracts: project.contracts })
    pool = await deploy('Pool')
    router = await deploy('Router')
    await send(pool, 'Pool', 'provide', [6000, wide])
    await send(pool, 'Pool', 'provide', [600, narrow])
    await send(await read('token0'), 'Token', 'mint', [trader, amount])
  }, 120_000)
  afterAll(() => network.stop())

  const to = (name: string, backwards = false, file = path) =>
    network.rpc<Position>('dev_debugStep', id, { lines: [{ file, line: lineOf(name) }] }, backwards)
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
    const [priceBefore] = await read<[bigint, number, boolean]>('slot0')
    const fromToken = await read<Address>('token0')
    hash = await send(router, 'Router', 'exactInput', [pool, amount, 'for tea'])
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
