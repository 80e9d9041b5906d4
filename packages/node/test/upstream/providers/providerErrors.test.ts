import { expect, test } from 'vitest'
import { errorKind } from '../../../src/upstream/transport/rpcError.ts'
import { providerErrors } from './providerErrors.ts'

/** The code of an error without one. */
const noCode = -32000

test.each(providerErrors)('$provider $code «$message» is $kind', ({ code = noCode, message, kind }) => {
  expect(errorKind({ code, message })).toBe(kind)
})

test('the errors are those of more than twenty providers, each with its source', () => {
  expect(new Set(providerErrors.map(({ provider }) => provider)).size).toBeGreaterThan(20)
  expect(providerErrors.filter(({ source }) => !/^https:\/\/\S+$/.test(source))).toEqual([])
})

/** Errors of executions and of requests, which nodes word alike: another endpoint would answer them, too. */
test.each([
  [-32000, 'out of gas'],
  [-32003, 'EVM error: OutOfGas'],
  [-32000, 'contract creation code storage out of gas'],
  [-32000, 'gas required exceeds allowance (1000000)'],
  [-32000, 'insufficient funds for gas * price + value: address 0xf39F have 1 want 2'],
  [-32000, 'intrinsic gas too low: have 20000, want 21000'],
  [-32000, 'max fee per gas less than block base fee: address 0xf39F, maxFeePerGas: 1, baseFee: 2'],
  [-32000, 'nonce too low: next nonce 5, tx nonce 4'],
  [-32000, 'invalid opcode: opcode 0x60 not defined'],
  [-32000, 'stack underflow (0 <=> 1)'],
  [-32000, 'write protection'],
  [-32602, 'invalid argument 0: hex string has length 4, want 40 for common.Address'],
  [-32602, 'missing value for required argument 0'],
  [-32600, 'invalid request'],
])('%d «%s» is a wrong request', (code, message) => {
  expect(errorKind({ code, message })).toBe('wrong request')
})

test.each([
  [3, 'execution reverted: rate limit exceeded'],
  [-32000, 'execution reverted: archived'],
  [-32000, 'VM Exception while processing transaction: reverted with reason string "batch too large"'],
])('%d «%s» is reverted', (code, message) => {
  expect(errorKind({ code, message })).toBe('reverted')
})
