import { expect, test } from 'vitest'
import { classifyError, stateBlockOf } from './rpcError.ts'

/** Errors as nodes and providers word them. */
test.each([
  [3, 'execution reverted: rate limit exceeded', 'final'],
  [-32000, 'execution reverted: archived', 'final'],
  [-32000, 'insufficient funds for gas * price + value', 'final'],
  [-32602, 'invalid argument 0: hex string has length 4, want 40 for common.Address', 'final'],
  [-32005, 'query returned more than 10000 results', 'final'],
  [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 'final'],
  [-32000, 'exceed maximum block range: 5000', 'final'],
  [429, 'Your app has exceeded its compute units per second capacity', 'limited'],
  [-32005, 'daily request count exceeded, request rate limited', 'limited'],
  [-32007, '50/second request limit reached - reduce calls per second', 'limited'],
  [-32000, 'Too Many Requests', 'limited'],
  [-32601, 'the method debug_traceCall does not exist/is not available', 'unknown method'],
  [-32600, 'trace_block is not available on the Free tier - upgrade to Pay As You Go', 'unknown method'],
  [-32000, 'missing trie node 1f3a (path ) state 0xabc is not available', 'pruned'],
  [-32000, 'historical state 0xabc is not available', 'pruned'],
  [-32000, 'required historical state unavailable (reexec=128)', 'pruned'],
  [-32002, 'the requested state has been pruned', 'pruned'],
  [-32000, 'header not found', 'doubtful'],
  [-32603, 'Internal error', 'doubtful'],
  [-32000, 'request timed out', 'transient'],
  [-32000, 'Service temporarily unavailable', 'transient'],
])('%d «%s» is %s', (code, message, expected) => {
  expect(classifyError({ code, message })).toBe(expected)
})

test.each([
  ['eth_getBalance', ['0x00', '0xff'], '255'],
  ['eth_getStorageAt', ['0x00', '0x0', 'earliest'], 'earliest'],
  ['eth_call', [{}], 'latest'],
])('%s of %j reads block %s', (method, params, block) => {
  expect(stateBlockOf(method, params)).toBe(block)
})
