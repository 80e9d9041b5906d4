import { expect, it } from 'vitest'
import { networkUrlOf } from './scriptUrl.ts'

it.each([
  ['/wallet.js', ''],
  ['/wallet.js?branch=feature%2Fx', '/n/feature%2Fx'],
  ['/wallet.js?key=k1', '/rpc/k1'],
  ['/n/staging/wallet.js', '/n/staging'],
  ['/n/staging/wallet.js?branch=b%23&key=k1', '/n/staging/n/b%23/rpc/k1'],
])('the script at %s uses the network at %s', (script, network) => {
  const origin = 'http://127.0.0.1:8545'
  expect(networkUrlOf(new URL(origin + script))).toBe(origin + network)
})
