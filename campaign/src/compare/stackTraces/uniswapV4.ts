import { concat, type Hex, pad, toFunctionSelector, zeroAddress } from 'viem'
import { type Addresses, type Failure, named, of, type Project } from './project.ts'

const stranger = '0x00000000000000000000000000000000000000aa'
/** The last bits of a hook's address say which calls it wants: here, before a pool is initialised, and before a swap. */
const refusing = '0x5100000000000000000000000000000000002000'
const hook = '0x5100000000000000000000000000000000000080'

const minPrice = 4_295_128_739n
/** A price of 1, as a square root in Q64.96. */
const parity = 2n ** 96n
const sorted = ({ one = zeroAddress, two = zeroAddress }: Addresses) =>
  BigInt(one) < BigInt(two) ? [one, two] : [two, one]

const key = (at: Addresses, changed: object = {}) => {
  const [currency0, currency1] = sorted(at)
  return { currency0, currency1, fee: 3000, tickSpacing: 60, hooks: zeroAddress, ...changed }
}
const initialised = (changed: object | ((at: Addresses) => object) = {}, price = parity) =>
  of('manager', 'initialize', (at) => [key(at, typeof changed === 'function' ? changed(at) : changed), price])

const swapped = (params: object = {}, changed: object = {}, rest: Partial<Failure> = {}) =>
  of(
    'swapper',
    'swap',
    (at) => [
      key(at, changed),
      { zeroForOne: true, amountSpecified: -100n, sqrtPriceLimitX96: minPrice + 1n, ...params },
      { takeClaims: false, settleUsingBurn: false },
      '0x',
    ],
    rest,
  )

const range = { tickLower: -120, tickUpper: 120, liquidityDelta: 1_000_000n, salt: pad('0x') }
const provided = (params: object = {}, changed: object = {}) =>
  of('provider', 'modifyLiquidity', (at) => [key(at, changed), { ...range, ...params }, '0x'])

const actions = { nothing: 0, take: 1, clear: 2, mint: 3, burn: 4, settleSynced: 5, unlock: 6 }
const unlocked = (action: keyof typeof actions, amount: bigint, rest: Partial<Failure> = {}) =>
  of('unlocker', 'run', (at) => [actions[action], at.one, amount], rest)

const failures: readonly Failure[] = [
  named('a tick spacing that is too large', initialised({ tickSpacing: 32_768 })),
  named('a tick spacing that is too small', initialised({ tickSpacing: 0 })),
  named(
    'currencies in the wrong order',
    initialised((at) => ({ currency0: key(at).currency1, currency1: key(at).currency0 })),
  ),
  named('a hook address that is not valid', initialised({ hooks: stranger })),
  named('a fee that is too large', initialised({ fee: 2_000_000 })),
  named('a pool that is initialised', initialised()),
  named('a price out of range', initialised({ fee: 500 }, 1n)),
  named('a hook that refuses a pool', initialised({ hooks: refusing })),
  named(
    'a locked manager',
    of('manager', 'take', (at) => [at.one, stranger, 1n]),
  ),
  named(
    'a swap of a locked manager',
    of('manager', 'swap', (at) => [key(at), { zeroForOne: true, amountSpecified: 1n, sqrtPriceLimitX96: 0n }, '0x']),
  ),
  named('not the owner', of('manager', 'setProtocolFeeController', [stranger], { from: 1 })),
  named(
    'not the controller of fees',
    of('manager', 'setProtocolFee', (at) => [key(at), 0]),
  ),
  named(
    'not the hook of a dynamic fee',
    of('manager', 'updateDynamicLPFee', (at) => [key(at), 0]),
  ),
  named('a transfer of claims that are not there', of('manager', 'transfer', [stranger, 1n, 5n])),
  named('an unlock by an account without code', of('manager', 'unlock', ['0x'])),
  named('value to a function that is not payable', of('manager', 'unlock', ['0x'], { value: 1n })),
  named('an unknown selector', of('manager', '', [], { data: '0xdeadbeef' })),
  named('arguments that are too short', of('manager', '', [], { data: toFunctionSelector('sync(address)') })),
  named(
    'an argument out of range',
    of('manager', '', [], { data: concat([toFunctionSelector('sync(address)'), `0x${'ff'.repeat(32)}` as Hex]) }),
  ),
  named('sync of an account without code', of('manager', 'sync', [stranger])),
  named('a swap in a pool that is not initialised', swapped({}, { fee: 500 })),
  named('a swap of nothing', swapped({ amountSpecified: 0n })),
  named('a limit that the price has passed', swapped({ sqrtPriceLimitX96: parity })),
  named('a limit out of range', swapped({ sqrtPriceLimitX96: minPrice })),
  named('a hook that refuses a swap', swapped({}, { hooks: hook })),
  named('a swap without an allowance', swapped({}, {}, { from: 1 })),
  named('ticks in the wrong order', provided({ tickLower: 120, tickUpper: -120 })),
  named('a tick out of range', provided({ tickUpper: 900_000 })),
  named('a tick between those of the pool', provided({ tickUpper: 61 })),
  named('more liquidity than a tick may have', provided({ liquidityDelta: 2n ** 120n })),
  named('more liquidity than a number holds', provided({ liquidityDelta: 2n ** 127n })),
  named('withdrawal of liquidity that is not there', provided({ liquidityDelta: -2_000_000n })),
  named('liquidity in a pool that is not initialised', provided({}, { fee: 500 })),
  named(
    'a donation to no position',
    of('donor', 'donate', (at) => [key(at, { hooks: hook }), 5n, 5n, '0x']),
  ),
  named(
    'a withdrawal of claims that are not there',
    of('claims', 'withdraw', (at) => [at.one, stranger, 5n]),
  ),
  named('a callback by a stranger', of('swapper', 'unlockCallback', ['0x'])),
  named('a currency that is not settled', unlocked('mint', 5n)),
  named('an unlock in an unlock', unlocked('unlock', 0n)),
  named('a clearance of what is not owed', unlocked('clear', 5n)),
  named('more taken than there is', unlocked('take', 10n ** 30n)),
  named('more taken than a number holds', unlocked('take', 2n ** 127n)),
  named('value with another currency', unlocked('settleSynced', 1n, { value: 1n })),
  named('out of gas in a callback', swapped({}, {}, { gas: 120_000n })),
  { name: 'value to a constructor that is not payable', contract: 'PoolManager', args: [stranger], value: 1n },
]

const source = '@uniswap/v4-core/src'
const settings = { evmVersion: 'cancun', metadata: { bytecodeHash: 'none' } }
const optimizer = { enabled: true, runs: 44_444_444 }

/** Uniswap V4, which is written for the pipeline through Yul, with the routers of its own tests. */
export const uniswapV4: Project = {
  folder: 'uniswapV4',
  packages: 'clients/simulator/node_modules',
  npmFilesToBuild: [
    `${source}/PoolManager.sol`,
    ...[
      'BaseTestHooks',
      'PoolClaimsTest',
      'PoolDonateTest',
      'PoolModifyLiquidityTest',
      'PoolSwapTest',
      'TestERC20',
    ].map((name) => `${source}/test/${name}.sol`),
  ],
  compilations: [
    { name: 'Uniswap V4 without the optimiser', compilers: [{ version: '0.8.26', settings }] },
    {
      name: 'Uniswap V4 as it is released, through Yul',
      compilers: [{ version: '0.8.26', settings: { ...settings, optimizer, viaIR: true } }],
    },
  ],
  deployed: [
    { name: 'manager', contract: 'PoolManager', args: () => [stranger] },
    { name: 'one', contract: 'TestERC20', args: () => [10n ** 24n] },
    { name: 'two', contract: 'TestERC20', args: () => [10n ** 24n] },
    { name: 'hooks', contract: 'BaseTestHooks' },
    { name: 'swapper', contract: 'PoolSwapTest', args: (at) => [at.manager] },
    { name: 'provider', contract: 'PoolModifyLiquidityTest', args: (at) => [at.manager] },
    { name: 'donor', contract: 'PoolDonateTest', args: (at) => [at.manager] },
    { name: 'claims', contract: 'PoolClaimsTest', args: (at) => [at.manager] },
    { name: 'unlocker', contract: 'Unlocker', args: (at) => [at.manager] },
  ],
  copied: [
    { from: 'hooks', address: refusing },
    { from: 'hooks', address: hook },
  ],
  prepared: [
    initialised(),
    initialised({ hooks: hook }),
    ...['one', 'two'].flatMap((token) =>
      ['swapper', 'provider', 'donor'].map((spender) => of(token, 'approve', (at) => [at[spender], 10n ** 24n])),
    ),
    provided(),
  ],
  failures,
}
