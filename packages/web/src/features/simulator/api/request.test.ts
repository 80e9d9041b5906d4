import { parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { emptyAccount, emptyCall, emptyScenario, type Scenario } from '../../../lib/simulation/scenario.ts'
import { requestFrom } from './request.ts'

const a = `0x${'a'.repeat(40)}` as const
const b = `0x${'b'.repeat(40)}` as const
const abi = parseAbi(['function approve(address spender, uint256 amount)'])
const read = (scenario: Partial<Scenario>) =>
  requestFrom(
    { ...emptyScenario, ...scenario },
    async () => abi,
    async () => [{ symbol: 'GOLD', decimals: 18 }],
  )

it('encodes calls, overrides and the block', async () => {
  const request = await read({
    calls: [
      { ...emptyCall, from: a, to: b, fn: '0x095ea7b3', args: [a, '1.5 GOLD'], value: '0.5' },
      { ...emptyCall, from: a, data: '0x00' },
    ],
    block: '17',
    accounts: [{ ...emptyAccount, address: b, balance: '2', nonce: '7', slots: '1 = 0x2a\n\n0x2 3' }],
    header: { ...emptyScenario.header, time: '1,000', feeRecipient: a },
  })
  expect(request).toEqual({
    calls: [
      {
        from: a,
        to: b,
        value: '0x6f05b59d3b20000',
        data: `0x095ea7b3${a.slice(2).padStart(64, '0')}${1_500_000_000_000_000_000n.toString(16).padStart(64, '0')}`,
      },
      { from: a, value: '0x0', data: '0x00' },
    ],
    block: '0x11',
    stateOverrides: {
      [b]: {
        balance: '0x1bc16d674ec80000',
        nonce: '0x7',
        stateDiff: {
          [`0x${'1'.padStart(64, '0')}`]: `0x${'2a'.padStart(64, '0')}`,
          [`0x${'2'.padStart(64, '0')}`]: `0x${'3'.padStart(64, '0')}`,
        },
      },
    },
    blockOverrides: { time: '0x3e8', feeRecipient: a },
  })
})

const call = { ...emptyCall, from: a, to: b }

it.each<[Partial<Scenario>, string]>([
  [{}, 'from: enter an address'],
  [{ calls: [call, { ...call, to: 'javascript:alert(1)' }] }, 'Call 2, to: enter an address'],
  [{ calls: [{ ...call, data: '0x1' }] }, 'data: enter bytes'],
  [{ calls: [{ ...call, value: '1e9' }] }, 'is not an amount'],
  [{ calls: [{ ...call, fn: '0x095ea7b3', args: [a] }] }, 'amount: "" is not a whole number'],
  [{ calls: [{ ...call, fn: '0x00000000' }] }, 'has no 0x00000000'],
  [{ calls: [call], block: 'yesterday' }, 'block: enter a whole number'],
  [{ calls: [call], accounts: [{ ...emptyAccount, address: b, slots: '1' }] }, 'State override 1, slots: "1" is not'],
  [{ calls: [call], accounts: [{ ...emptyAccount, address: b, nonce: '9'.repeat(79) }] }, 'nonce: enter a whole'],
  [{ calls: [call], header: { ...emptyScenario.header, time: '-1' } }, 'time: enter a whole number'],
])('names the field of %j', async (scenario, message) => {
  await expect(read(scenario)).rejects.toThrow(message)
})
