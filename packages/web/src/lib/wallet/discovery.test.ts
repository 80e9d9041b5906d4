import { expect, it } from 'vitest'
import { walletFrom } from './discovery.ts'

const provider = { request: async () => null }
const info = { uuid: '1', rdns: 'io.fox', name: 'Fox', icon: 'data:image/svg+xml,<svg/>' }

it('takes the announcement of a wallet', () => {
  expect(walletFrom({ info, provider })).toEqual({ id: 'io.fox', name: 'Fox', icon: info.icon, provider })
})

it('shortens names, and takes pictures from no server', () => {
  const wallet = walletFrom({ info: { ...info, name: 'F'.repeat(500), icon: 'https://example.com/fox.png' }, provider })
  expect([wallet?.name.length, wallet?.icon]).toEqual([60, undefined])
})

it.each([
  undefined,
  null,
  'text',
  { info },
  { provider },
  { info: { ...info, rdns: 7 }, provider },
  { info: { ...info, rdns: '<script>' }, provider },
  { info, provider: { request: 'not a function' } },
])('takes nothing else: %j', (detail) => {
  expect(walletFrom(detail)).toBe(undefined)
})
