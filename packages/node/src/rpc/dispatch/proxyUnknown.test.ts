import { expect, it } from 'vitest'
import { isProxied } from './proxyUnknown.ts'

it.each([
  'eth_getUncleCountByBlockHash',
  'alchemy_getTokenBalances',
  'bor_getAuthor',
  'zks_estimateFee',
  'debug_getModifiedAccountsByHash',
])('sends %s on', (method) => {
  expect(isProxied(method)).toBe(true)
})

it.each([
  'eth_sendPrivateTransaction',
  'eth_sendBundle',
  'eth_newFilter2',
  'eth_subscribeMore',
  'eth_signTransaction2',
  'debug_setHead',
  'miner_start',
  'personal_listAccounts',
  'anvil_nope',
  'dev_nope',
  'admin_addPeer',
  'engine_newPayloadV4',
  'eth_getWork',
  'nope',
  'eth_',
  'eth_a b',
])('does not send %s on', (method) => {
  expect(isProxied(method)).toBe(false)
})
