import { expect, test } from 'vitest'
import { errorKind, stateBlockOf } from './rpcError.ts'

/** Errors as nodes and providers word them. */
test.each([
  [3, 'execution reverted: rate limit exceeded', 'reverted'],
  [-32000, 'execution reverted: archived', 'reverted'],
  [-32000, 'insufficient funds for gas * price + value', 'wrong request'],
  [-32602, 'invalid argument 0: hex string has length 4, want 40 for common.Address', 'wrong request'],
  [-32005, 'query returned more than 10000 results', 'too much'],
  [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 'too much'],
  [-32000, 'exceed maximum block range: 5000', 'too much'],
  [429, 'Your app has exceeded its compute units per second capacity', 'slow down'],
  [-32005, 'daily request count exceeded, request rate limited', 'slow down'],
  [-32007, '50/second request limit reached - reduce calls per second', 'slow down'],
  [-32000, 'Too Many Requests', 'slow down'],
  [-32601, 'the method debug_traceCall does not exist/is not available', 'no method'],
  [-32600, 'trace_block is not available on the Free tier - upgrade to Pay As You Go', 'no method'],
  [-32000, 'missing trie node 1f3a (path ) state 0xabc is not available', 'no state'],
  [-32000, 'historical state 0xabc is not available', 'no state'],
  [-32000, 'required historical state unavailable (reexec=128)', 'no state'],
  [-32002, 'the requested state has been pruned', 'no state'],
  [-32000, 'header not found', 'not yet'],
  [-32603, 'Internal error', 'unclear'],
  [-32000, 'request timed out', 'broken'],
  [-32000, 'Service temporarily unavailable', 'broken'],
])('%d «%s» is %s', (code, message, expected) => {
  expect(errorKind({ code, message })).toBe(expected)
})

test.each([
  ['eth_getBalance', ['0x00', '0xff'], '255'],
  ['eth_getStorageAt', ['0x00', '0x0', 'earliest'], 'earliest'],
  ['eth_call', [{}], 'latest'],
])('%s of %j reads block %s', (method, params, block) => {
  expect(stateBlockOf(method, params)).toBe(block)
})
