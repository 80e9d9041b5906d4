import { Writable } from 'node:stream'
import { errorKind, stackTraceOf } from '@understudy/client'
import { type Abi, type Address, encodeErrorResult, encodeFunctionData, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../src/shared/logger.ts'
import { compileSource } from '../compileSource.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const path = 'src/Broken.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

error Frozen(address holder, uint256 amount);

contract Broken {
    function balanceOf(address holder) external view returns (uint256) {
        return checked(holder, 1); // calls
    }

    function transfer(address to, uint256 amount) external view returns (bool) {
        return checked(to, amount) > 0;
    }

    function checked(address holder, uint256 amount) internal view returns (uint256) {
        if (holder != address(this)) revert Frozen(holder, amount); // fails
        return amount;
    }

    function burn() external pure {
        while (true) {} // burns
    }
}
`
const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
const { Broken } = compileSource(path, source)
const holder = '0x00000000000000000000000000000000000000aa'

type Entry = { msg: string; method?: string; reason?: string; at?: string; function?: string }
const entries: Entry[] = []
const logger = createLogger(
  'info',
  new Writable({
    write(chunk, _, done) {
      entries.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)
const reports = () => entries.filter(({ msg }) => msg === 'Failed in an imported contract')

let network: TestNetwork
let broken: Address
let abi: Abi

beforeEach(async () => {
  if (!Broken) throw new Error('the contract was not compiled')
  network = await startNetwork({}, { logger })
  abi = Broken.abi
  const hash = await network.client.deployContract({ abi, bytecode: Broken.bytecode })
  broken = (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
  await network.rpc('dev_importContracts', { contracts: [Broken.imported] })
  entries.splice(0)
}, 60_000)
afterEach(() => network.stop())

const dataOf = (functionName: string, ...args: unknown[]) => encodeFunctionData({ abi, functionName, args })
const errorOf = (method: string, ...params: unknown[]) =>
  network.rpc(method, ...params).then(
    () => expect.fail(`${method} did not fail`),
    (error) => error,
  )

it.each<[method: string, params: () => unknown[]]>([
  ['dev_setERC20Balance', () => [holder, broken, '5']],
  ['dev_addERC20Balance', () => [holder, broken, '5']],
  ['anvil_dealERC20', () => [holder, broken, '0x5']],
  ['tenderly_setErc20Balance', () => [broken, holder, '0x5']],
  ['dev_followTokenBalance', () => [broken, holder]],
  ['dev_callWithoutOverrides', () => [{ to: broken, data: dataOf('balanceOf', holder) }]],
])('%s says where the contract failed', async (method, params) => {
  const error = await errorOf(method, ...params())
  expect(errorKind(error)).toBe('EXECUTION_REVERTED')
  expect(stackTraceOf(error)).toMatchObject([
    {
      file: path,
      line: lineOf('fails'),
      function: 'Broken.checked',
      contract: 'Broken',
      address: broken.toLowerCase(),
    },
    { file: path, line: lineOf('calls'), function: 'Broken.balanceOf', message: null },
  ])
  expect(stackTraceOf(error)?.[0]?.message).toMatch(/^Frozen\(0x0+aa, 1\)$/i)
  expect(error).toMatchObject({
    cause: { code: 3, data: { data: encodeErrorResult({ abi, errorName: 'Frozen', args: [holder, 1n] }) } },
  })
  expect(reports()).toEqual([])
})

it('says it of what ran out of gas, and of contracts without lines', async () => {
  const burn = await errorOf('dev_callWithoutOverrides', { to: broken, data: dataOf('burn'), gas: numberToHex(50_000) })
  expect(burn).toMatchObject({ cause: { code: -32000, data: { kind: 'EXECUTION_FAILED' } } })
  expect(stackTraceOf(burn)).toMatchObject([{ line: lineOf('burns'), message: 'out of gas' }])
  const unknown = await errorOf('dev_callWithoutOverrides', { data: '0x60006000fd', gas: numberToHex(100_000) })
  expect(stackTraceOf(unknown)).toMatchObject([{ file: null, line: null, message: 'reverted without a reason' }])
})

it('keeps the errors of standard methods, and logs the line once for each request', async () => {
  const request = { from: holder, to: broken, data: dataOf('transfer', holder, 7n) }
  const data = encodeErrorResult({ abi, errorName: 'Frozen', args: [holder, 7n] })
  for (const method of ['eth_call', 'eth_estimateGas']) {
    entries.splice(0)
    const error = await errorOf(method, request)
    expect(error).toMatchObject({ cause: { code: 3, message: expect.anything(), data } })
    expect(reports()).toMatchObject([
      {
        method,
        at: `${path}:${lineOf('fails')}`,
        function: 'Broken.checked',
        reason: expect.stringMatching(/^Frozen\(/),
      },
    ])
  }
  await errorOf('eth_call', { data: '0x60006000fd' })
  expect(reports()).toHaveLength(1)
})

it('logs at most ten lines in a second', async () => {
  const request = { from: holder, to: broken, data: dataOf('transfer', holder, 7n) }
  const startedAt = performance.now()
  await eventually(
    async () => {
      await Promise.all(Array.from({ length: 60 }, () => errorOf('eth_call', request)))
      return entries
    },
    (lines) => lines.some(({ msg }) => msg === 'Left out locations of failed calls'),
  )
  expect(reports().length).toBeLessThanOrEqual(10 * ((performance.now() - startedAt) / 1000 + 2))
})
