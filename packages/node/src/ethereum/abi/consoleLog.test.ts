import { existsSync, readFileSync } from 'node:fs'
import { consoleAddress } from '@understudy/evm'
import { type AbiFunction, encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { bytesFromHex } from '../../shared/hex.ts'
import { consoleLogsOf, decodeConsoleInput } from './consoleLog.ts'

const someone = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const max = 2n ** 256n - 1n
const consoleSource = new URL('../../../../../clients/hardhat2/node_modules/hardhat/console.sol', import.meta.url)

function textOf(values: readonly (readonly [type: string, value: unknown])[]): string | undefined {
  const inputs = values.map(([type]) => ({ type }))
  const item: AbiFunction = { type: 'function', name: 'log', inputs, outputs: [], stateMutability: 'view' }
  const data = encodeFunctionData({ abi: [item], functionName: 'log', args: values.map(([, value]) => value) })
  return logOf(data)?.text
}

function logOf(data: Hex) {
  return consoleLogsOf({ consoleCalls: () => [{ from: someone, input: bytesFromHex(data) }] }, 1)[0]
}

describe('console.log', () => {
  // What anvil 1.7.1 prints for the same calls.
  it.each<[string, readonly (readonly [string, unknown])[]]>([
    ['', []],
    ['1500', [['uint256', 1500n]]],
    ['-7', [['int256', -7n]]],
    ['0x1234', [['bytes', '0x1234']]],
    ['0x12345678', [['bytes4', '0x12345678']]],
    [
      'true 0x000000000000000000636F6e736F6c652e6c6f67',
      [
        ['bool', true],
        ['address', consoleAddress],
      ],
    ],
    [
      '1 %s true',
      [
        ['uint256', 1n],
        ['string', '%s'],
        ['bool', true],
      ],
    ],
    ['%s %d', [['string', '%s %d']]],
    ['%', [['string', '%%']]],
    [
      '% 12',
      [
        ['string', '%%'],
        ['uint256', 12n],
      ],
    ],
    [
      '%s x',
      [
        ['string', '%%s'],
        ['string', 'x'],
      ],
    ],
    [
      'x% y',
      [
        ['string', '%s%'],
        ['string', 'x'],
        ['string', 'y'],
      ],
    ],
    [
      '1%2',
      [
        ['string', '%d%%%d'],
        ['uint256', 1n],
        ['uint256', 2n],
      ],
    ],
    [
      '1 2',
      [
        ['string', '%s'],
        ['uint256', 1n],
        ['uint256', 2n],
      ],
    ],
    [
      'a 5 b %s c',
      [
        ['string', 'a %s b %s c'],
        ['uint256', 5n],
      ],
    ],
    [
      'x%5d 1',
      [
        ['string', 'x%5d'],
        ['uint256', 1n],
      ],
    ],
    [
      '%q a',
      [
        ['string', '%q'],
        ['string', 'a'],
      ],
    ],
    [
      '1 NaN',
      [
        ['string', '%d %i'],
        ['bool', true],
        ['bool', true],
      ],
    ],
    [
      "'true' 'it' 5",
      [
        ['string', '%o %o %o'],
        ['bool', true],
        ['string', 'it'],
        ['uint256', 5n],
      ],
    ],
    [
      'NaN NaN',
      [
        ['string', '%d %d'],
        ['address', someone],
        ['string', '5'],
      ],
    ],
    [
      'NaN 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      [
        ['string', '%x %x'],
        ['string', '0x5'],
        ['address', someone],
      ],
    ],
    [
      '0x3039',
      [
        ['string', '%x'],
        ['uint256', 12345n],
      ],
    ],
    [
      `0x${'f'.repeat(63)}b`,
      [
        ['string', '%x'],
        ['int256', -5n],
      ],
    ],
    [
      '0e0 1.2345e4 1e3',
      [
        ['string', '%e %e %e'],
        ['uint256', 0n],
        ['uint256', 12345n],
        ['uint256', 1000n],
      ],
    ],
    [
      '-1.5e3',
      [
        ['string', '%e'],
        ['int256', -1500n],
      ],
    ],
    [
      '1.5 0.000000000000012345 0',
      [
        ['string', '%18e %18e %18e'],
        ['uint256', 15n * 10n ** 17n],
        ['uint256', 12345n],
        ['uint256', 0n],
      ],
    ],
    [
      '-0.15',
      [
        ['string', '%4e'],
        ['int256', -1500n],
      ],
    ],
    [
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
      [
        ['string', '%18e'],
        ['uint256', max],
      ],
    ],
  ])('formats %s', (text, values) => {
    expect(textOf(values)).toBe(text)
  })

  it('keeps what it cannot decode as hex', () => {
    const truncated: Hex = `0x41304fac${'00'.repeat(31)}20${'ff'.repeat(32)}`
    for (const data of ['0x', '0x12', '0x00112233', truncated] as const)
      expect(logOf(data)).toEqual({ address: someone, text: data, values: undefined })
  })

  it.skipIf(!existsSync(consoleSource))("knows every function of Hardhat's console.sol", () => {
    const source = readFileSync(consoleSource, 'utf8')
    const signatures = [...source.matchAll(/encodeWithSignature\("([^"]*)"/g)].map(
      ([, signature]) => signature as string,
    )
    expect(signatures.length).toBeGreaterThan(370)
    const unknown = signatures.filter((signature) => {
      const types = signature.slice(4, -1).split(',')
      const zeros = types.some((type) => type === 'string' || type === 'bytes') ? 64 * types.length : 0
      const words = '00'.repeat(32 * types.length + zeros)
      return !decodeConsoleInput(bytesFromHex(`${toFunctionSelector(signature)}${words}`))
    })
    expect(unknown).toEqual([])
  })
})
