import { expect, it } from 'vitest'
import { holderOfAddress, thisMachine } from './addresses.ts'

it.each([
  ['127.0.0.1', thisMachine],
  ['::1', thisMachine],
  ['::ffff:127.0.0.1', thisMachine],
  ['127.0.0.2', '127.0.0.2'],
  ['192.168.1.20', '192.168.1.20'],
  ['::ffff:192.168.1.20', '192.168.1.20'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:0:1::', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [undefined, ''],
])('%s counts as %s', (address, holder) => {
  expect(holderOfAddress(address)).toBe(holder)
})
