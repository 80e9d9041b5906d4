import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Abi,
  type Address,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownErrors } from '../../src/contracts/knownSignatures/knownErrors.ts'
import { knownFunctions } from '../../src/contracts/knownSignatures/knownFunctions.ts'
import { signatureOf } from '../../src/ethereum/abi/signature.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** The items of the ABIs in a folder of a package. */
function abiItems(folder: string): Abi {
  const directory = join(packages, folder)
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && !/mock|test|example/i.test(file))
    .flatMap((file) => (JSON.parse(readFileSync(join(directory, file), 'utf8')) as { abi?: Abi }).abi ?? [])
}

describe('what is known of contracts without an ABI', () => {
  it.each([
    '@openzeppelin/contracts/build/contracts',
    '@uniswap/v2-core/build',
    '@uniswap/v3-core/artifacts/contracts',
  ])('has the errors and functions of %s', (folder) => {
    const items = abiItems(folder)
    expect(items.length).toBeGreaterThan(50)
    const errors = items.filter((item) => item.type === 'error')
    expect(errors.filter((item) => !knownErrors().errors.has(toFunctionSelector(signatureOf(item))))).toEqual([])
    const functions = items.filter((item) => item.type === 'function')
    expect(functions.filter((item) => !knownFunctions().functions.has(toFunctionSelector(item)))).toEqual([])
  })
})

describe('a contract without an ABI', () => {
  const address: Address = '0x00000000000000000000000000000000000c0de7'
  const errors = parseAbi([
    'error PriceLimitOutOfBounds(uint160)',
    'error SignatureExpired(uint256)',
    'error FailedOp(uint256,string)',
    'error ERC20InsufficientBalance(address,uint256,uint256)',
  ])
  const data = encodeFunctionData({
    abi: parseAbi(['function execTransactionFromModule(address,uint256,bytes,uint8) returns (bool)']),
    args: [address, 7n, '0x1234', 1],
  })
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork()
  })
  afterAll(() => network.stop())

  /** Code that reverts with this data. */
  function reverting(output: Hex): Hex {
    const length = ((output.length - 2) / 2).toString(16).padStart(4, '0')
    // PUSH2 length, PUSH1 offset of the data, PUSH0, CODECOPY, PUSH2 length, PUSH0, REVERT
    return `0x61${length}600c5f3961${length}5ffd${output.slice(2)}`
  }

  it.each([
    ['PriceLimitOutOfBounds', [5n], 'PriceLimitOutOfBounds(5)'],
    ['SignatureExpired', [9n], 'SignatureExpired(9)'],
    ['FailedOp', [0n, "AA21 didn't pay prefund"], "FailedOp(0, AA21 didn't pay prefund)"],
    [
      'ERC20InsufficientBalance',
      [address, 1n, 2n],
      'ERC20InsufficientBalance(0x00000000000000000000000000000000000c0de7, 1, 2)',
    ],
  ])('says which error it failed with, and in which function: %s', async (errorName, args, reason) => {
    await network.rpc('dev_setCode', address, reverting(encodeErrorResult({ abi: errors as Abi, errorName, args })))
    expect(await network.rpc('dev_getStackTrace', { to: address, data })).toEqual([
      { address, contract: null, file: null, line: null, function: 'execTransactionFromModule', message: reason },
    ])
    const hash = await network.client.sendTransaction({ to: address, data, gas: 200_000n })
    expect(await network.rpc('dev_decodeTransaction', hash)).toMatchObject({
      function: {
        signature: 'execTransactionFromModule(address,uint256,bytes,uint8)',
        args: [{}, { value: '7' }, {}, { value: '1' }],
      },
      revert: { name: errorName, reason },
    })
  })
})
