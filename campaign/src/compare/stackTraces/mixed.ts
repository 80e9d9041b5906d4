import { concat, pad, toFunctionSelector, zeroAddress } from 'viem'
import { type Deployed, type Failure, named, of } from './project.ts'

/** What the failures need, deployed in this order by the first account. */
export const deployed: readonly Deployed[] = [
  { name: 'amounts', contract: 'Amounts' },
  { name: 'failures', contract: 'Failures' },
  { name: 'proxy', contract: 'Proxy', args: (at) => [at.failures] },
  { name: 'child', contract: 'Child', args: () => [50n] },
  { name: 'short', contract: 'Short' },
  { name: 'payments', contract: 'Payments' },
  { name: 'refusing', contract: 'Refusing' },
  { name: 'token', contract: 'StandardToken' },
  { name: 'tokenProxy', contract: 'StandardProxy', args: (at) => [at.token] },
  { name: 'collectible', contract: 'StandardCollectible' },
  { name: 'vault', contract: 'Vault' },
  { name: 'assembly', contract: 'AssemblyToken' },
  { name: 'concentrated', contract: 'Concentrated' },
  { name: 'factory', contract: 'UniswapV2Factory', args: () => [zeroAddress] },
  { name: 'pair', contract: 'UniswapV2Pair' },
  { name: 'router', contract: 'UniswapV2Router02', args: (at) => [at.factory, at.token] },
]

const stranger = '0x00000000000000000000000000000000000000aa'

const solidity: readonly Failure[] = [
  named('a reason', of('failures', 'plain')),
  named('no reason', of('failures', 'bare')),
  named('require without a reason', of('failures', 'requireBare', [2n])),
  named('assert', of('failures', 'asserts', [1n])),
  named('a custom error with arguments', of('failures', 'custom', [3n])),
  named('overflow', of('failures', 'overflow')),
  named('division by zero in another contract', of('failures', 'divides', [0n])),
  named('an index out of bounds', of('failures', 'index', [4n])),
  named('pop of an empty array', of('failures', 'pop')),
  named('a value that the enum has not', of('failures', 'cast', [9n])),
  named('too much memory', of('failures', 'allocates', [2n ** 64n])),
  named('a function pointer that is not set', of('failures', 'byPointer')),
  named('negation of the least number', of('failures', 'negative', [-(2n ** 255n)])),
  named('an index of bytes in memory', of('failures', 'converts', [3n])),
  named('inherited internal functions', of('failures', 'inheritedly', [200n])),
  named('an internal library', of('failures', 'library_', [13n])),
  named('a linked library', of('failures', 'linked', [14n])),
  named(
    'a library called directly',
    of('amounts', '', [], { data: concat([toFunctionSelector('append(uint256[] storage)'), pad('0x')]) }),
  ),
  named('a modifier', of('failures', 'guarded', [], { from: 1 })),
  named('the end of a modifier', of('failures', 'bounded', [9n])),
  named('either branch of a conditional', of('failures', 'ternary', [200n])),
  named('after loops', of('failures', 'loops', [200n])),
  named('recursion', of('failures', 'recurses', [3n])),
  named('a call of itself', of('failures', 'selfCalls', [200n])),
  named('a failed child creation', of('failures', 'creates', [7n])),
  named('a panic in a child constructor', of('failures', 'creates', [0n])),
  named('a creation where code is', of('failures', 'collides')),
  named('a creation with value that is not there', of('failures', 'paysChild', [5n])),
  named('a call of an account without code', of('failures', 'noCode', [stranger])),
  named(
    'too little returned',
    of('failures', 'shortAnswer', (at) => [at.short, 8n]),
  ),
  named(
    'nothing returned by code',
    of('failures', 'shortAnswer', (at) => [at.short, 0n]),
  ),
  named('a bool that is neither', of('failures', 'badAnswer', [`0x${'00'.repeat(31)}02${'00'.repeat(32)}`])),
  named('data too short to decode', of('failures', 'badAnswer', ['0x1234'])),
  named(
    'a failed low-level call, passed on',
    of('failures', 'lowLevel', (at) => [at.token, '0x12345678']),
  ),
  named(
    'a failed low-level call, required',
    of('failures', 'checksCall', (at) => [at.token, '0x12345678']),
  ),
  named(
    'a transfer to a contract that refuses',
    of('failures', 'pays', (at) => [at.failures, 0n]),
  ),
  named('a transfer of more than there is', of('failures', 'pays', [stranger, 5n])),
  named('a caught failure, and another', of('failures', 'caught', [0n])),
  named('out of gas in a child', of('failures', 'runsOut')),
  named('out of gas', of('child', 'burn', [], { gas: 60_000n })),
  named('invalid in a child', of('failures', 'breaks')),
  named('a failed precompile', of('failures', 'precompile')),
  named('a write in a static call', of('failures', 'staticWrites')),
  named('an unknown selector', of('failures', '', [], { data: '0xdeadbeef' })),
  named('a short selector', of('failures', '', [], { data: '0xde' })),
  named('value to a function that is not payable', of('failures', 'guarded', [], { value: 1n })),
  named('value to a contract without receive', of('failures', '', [], { data: '0x', value: 1n })),
  named('value to a fallback that is not payable', of('refusing', '', [], { data: '0x12', value: 1n })),
  named('fallback', of('refusing', '', [], { data: '0x1234567890' })),
  named('receive', of('payments', '', [], { data: '0x', value: 3n })),
  named('arguments that are too short', of('failures', '', [], { data: toFunctionSelector('typed(address,bool)') })),
  named(
    'an argument out of range',
    of('failures', '', [], { data: concat([toFunctionSelector('typed(address,bool)'), pad('0x'), pad('0x2')]) }),
  ),
  named('through a proxy', of('proxy', 'inheritedly', [200n], { contract: 'Failures' })),
  named('a selector that the contract behind a proxy lacks', of('proxy', '', [], { data: '0xdeadbeef' })),
  { name: 'a constructor', contract: 'Child', args: [7n] },
  { name: 'a custom error in a constructor', contract: 'Refuses' },
  { name: 'value to a constructor that is not payable', contract: 'Failures', value: 1n },
]

const standards: readonly Failure[] = [
  named('OpenZeppelin: transfer of too much', of('token', 'transfer', [stranger, 5n])),
  named('OpenZeppelin: an allowance that is too small', of('token', 'transferFrom', [stranger, stranger, 5n])),
  named('OpenZeppelin: not the owner', of('token', 'mint', [stranger, 5n], { from: 1 })),
  named('OpenZeppelin: mint to zero', of('token', 'mint', [zeroAddress, 5n])),
  named('OpenZeppelin: through ERC-1967', of('tokenProxy', 'transfer', [stranger, 5n], { contract: 'StandardToken' })),
  named('OpenZeppelin: a proxy of no code', { name: '', contract: 'StandardProxy', args: [stranger] }),
  named('OpenZeppelin: an item that is not there', of('collectible', 'ownerOf', [5n])),
  named(
    'OpenZeppelin: an item to a contract that takes none',
    of('collectible', 'give', (at) => [at.child, 1n]),
  ),
  named('OpenZeppelin: a role that is missing', of('vault', 'sweep', [stranger], { from: 1 })),
  named('OpenZeppelin: entered again', of('vault', 'again')),
  named(
    'OpenZeppelin: safeTransferFrom',
    of('vault', 'deposit', (at) => [at.token, 5n]),
  ),
  named('OpenZeppelin: safeTransferFrom of no code', of('vault', 'deposit', [stranger, 5n])),
  named(
    'OpenZeppelin: functionCall',
    of('vault', 'forward', (at) => [at.token, '0x12345678']),
  ),
  named('OpenZeppelin: functionCall of no code', of('vault', 'forward', [stranger, '0x1234'])),
  named('OpenZeppelin: mulDiv', of('vault', 'scale', [2n ** 255n, 4n, 1n])),
  named('OpenZeppelin: mulDiv by zero', of('vault', 'scale', [1n, 4n, 0n])),
  named('OpenZeppelin: SafeCast', of('vault', 'narrow', [2n ** 130n])),
]

const assembly: readonly Failure[] = [
  named('solady: transfer of too much', of('assembly', 'transfer', [stranger, 5n])),
  named('solady: an allowance that is too small', of('assembly', 'transferFrom', [stranger, stranger, 5n])),
  named('solady: not the owner', of('assembly', 'mint', [stranger, 5n], { from: 1 })),
  named(
    'solady: safeTransferFrom',
    of('assembly', 'pull', (at) => [at.token, 5n]),
  ),
  named('solady: mulWad', of('assembly', 'scale', [2n ** 255n, 4n, 1n])),
  named('solady: divWad by zero', of('assembly', 'scale', [1n, 4n, 0n])),
]

const uniswap: readonly Failure[] = [
  named('Uniswap V2: a pair of one token', of('factory', 'createPair', [stranger, stranger])),
  named('Uniswap V2: not the fee setter', of('factory', 'setFeeTo', [stranger])),
  named('Uniswap V2: a swap of nothing', of('pair', 'swap', [0n, 0n, stranger, '0x'])),
  named('Uniswap V2: a swap without liquidity', of('pair', 'swap', [1n, 0n, stranger, '0x'])),
  named('Uniswap V2: initialised by a stranger', of('pair', 'initialize', [stranger, stranger], { from: 1 })),
  named('Uniswap V2: transfer of too much', of('pair', 'transfer', [stranger, 5n])),
  named('Uniswap V2: mint of a pair without tokens', of('pair', 'mint', [stranger])),
  named(
    'Uniswap V2: a permit that has expired',
    of('pair', 'permit', [stranger, stranger, 1n, 1n, 27, `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`]),
  ),
  named('Uniswap V2: a router that is too late', of('router', 'swapExactETHForTokens', [1n, [stranger], stranger, 1n])),
  named('Uniswap V2: a path that is too short', of('router', 'getAmountsOut', [1n, [stranger]])),
  named('Uniswap V2: no liquidity', of('router', 'getAmountOut', [1n, 0n, 0n])),
  named(
    'Uniswap V2: a path without pairs',
    of('router', 'getAmountsOut', (at) => [1n, [at.token, at.vault]]),
  ),
  named('Uniswap V2: ether from a stranger', of('router', '', [], { data: '0x', value: 1n })),
  named('Uniswap V3: a tick out of range', of('concentrated', 'price', [887_273])),
  named('Uniswap V3: a price out of range', of('concentrated', 'tick', [1n])),
  named('Uniswap V3: mulDiv', of('concentrated', 'scale', [2n ** 255n, 4n, 1n])),
  named('Uniswap V3: too little liquidity', of('concentrated', 'withdraw', [1n, -2n])),
  named('Uniswap V3: an oracle without observations', of('concentrated', 'observe', [[5]])),
  named('Uniswap V3: a price of nothing', of('concentrated', 'next', [0n, 1n, 1n])),
  named('Uniswap V3: a path that is too short', of('concentrated', 'firstPool', ['0x1234'])),
  named('Uniswap V3: too late', of('concentrated', 'swap', [1n])),
  named(
    'Uniswap V3: a transfer that fails',
    of('concentrated', 'send', (at) => [at.token, stranger, 5n]),
  ),
  named('Uniswap V3: a multicall', of('concentrated', 'multicall', [['0xdeadbeef']])),
]

export const failures: readonly Failure[] = [...solidity, ...standards, ...assembly, ...uniswap]
