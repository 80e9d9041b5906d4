import { expect, it } from 'vitest'
import { castCommand, viemScript } from './scripts.ts'

const [from, to] = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb'] as const
const sent = { from, to, value: 10n ** 18n, input: '0x1234', gas: 90_000n } as const
const url = 'http://127.0.0.1:8545'

it('writes a transaction as a command of cast', () => {
  expect(castCommand(sent, url)).toBe(
    `cast send --rpc-url ${url} --unlocked --from ${from} --gas-limit 90000 --value 1000000000000000000 ${to} 0x1234`,
  )
  expect(castCommand({ ...sent, to: null, value: 0n }, url)).toMatch(/--gas-limit 90000 --create 0x1234$/)
  expect(castCommand({ ...sent, input: '0x' }, url)).toMatch(new RegExp(`${to}$`))
})

it('writes a transaction as a script for viem', () => {
  expect(viemScript(sent, url)).toContain(`  account: '${from}',
  to: '${to}',
  value: 1000000000000000000n, // 1
  data: '0x1234',
  gas: 90000n,
`)
  expect(viemScript({ ...sent, to: null, value: 0n }, url)).not.toMatch(/ to:| value:/)
})
