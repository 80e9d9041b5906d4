import { parseAbiParameter } from 'viem'
import { expect, it } from 'vitest'
import { parseArgument } from './argument.ts'

const parse = (type: string, text: string) => parseArgument(parseAbiParameter(type) as never, text)
const address = '0x00000000000000000000000000000000000000AA'

it.each([
  ['uint256 x', '1_000', 1000n],
  ['uint256 x', '1.5e18', 1_500_000_000_000_000_000n],
  ['int8 x', '-3', -3n],
  ['uint8 x', '0x10', 16n],
  ['bool x', 'true', true],
  ['string x', ' a, b ', 'a, b'],
  ['address x', address, address.toLowerCase()],
  ['bytes4 x', '0x01020304', '0x01020304'],
  [
    'uint256[] x',
    '[1, 115792089237316195423570985008687907853269984665640564039457584007913129639935]',
    [1n, 2n ** 256n - 1n],
  ],
  ['address[1] x', `[${address}]`, [address.toLowerCase()]],
  ['(uint256 a, bool b) x', '{"a": 5, "b": true}', { a: 5n, b: true }],
  ['(uint256 a, bool b)[] x', '[[5, false]]', [{ a: 5n, b: false }]],
])('parses %s from %s', (type, text, value) => expect(parse(type, text)).toEqual(value))

const gold = { symbol: 'GOLD', decimals: 18 }
const dollar = { symbol: 'USD', decimals: 6 }

it.each([
  ['uint256 x', '1.5 GOLD', 15n * 10n ** 17n],
  ['uint256 x', '1,000.000001usd', 1_000_000_001n],
  ['uint256 x', '2 gwei', 2_000_000_000n],
  ['uint256 x', '0x10', 16n],
  ['uint256[] x', '["1 USD", 5]', [1_000_000n, 5n]],
])('parses %s from %s, with units', (type, text, value) =>
  expect(parseArgument(parseAbiParameter(type) as never, text, [gold, dollar])).toEqual(value),
)

it.each([
  ['1.5 SILVER', [gold], 'amount: "1.5 SILVER" is not a whole number. Enter 1000, 0x3e8, 1.5e18 or 1.5 GOLD'],
  ['1.0000001 USD', [dollar], 'amount: 1.0000001 has more decimals than USD has: 6'],
  ['1 USD', [dollar, { symbol: 'usd', decimals: 18 }], 'amount: "1 USD" is not a whole number'],
])('rejects %s with the units %j', (text, units, message) =>
  expect(() => parseArgument(parseAbiParameter('uint256 amount') as never, text, units)).toThrow(message),
)

it.each([
  ['uint256 amount', 'much', 'amount: "much" is not a whole number'],
  ['address to', '0x12', 'to: "0x12" is not an address'],
  ['bool flag', '1', 'flag: enter true or false'],
  ['uint256[2] pair', '[1]', 'pair: enter 2 elements'],
  ['(uint256 a) point', '{}', 'a: missing'],
  ['bytes data', 'zz', 'data: "zz" is not hex with a 0x prefix'],
  ['uint8[] list', '[', 'list: "[" is not JSON'],
])('rejects %s from %s', (type, text, message) => expect(() => parse(type, text)).toThrow(message))
