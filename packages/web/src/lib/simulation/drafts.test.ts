import { expect, it } from 'vitest'
import { scenarioOfStored } from './drafts.ts'
import { emptyScenario, readScenario, writeScenario } from './scenario.ts'

const a = `0x${'a1'.repeat(20)}`
const b = `0x${'b2'.repeat(20)}`

it('fills in the form with what was saved, on the block of then', () => {
  const request = {
    call: { from: a, to: b, value: '0xde0b6b3a7640000', data: '0x12345678', gas: '0x5208' },
    block: 'latest',
    stateOverrides: { [b]: { balance: '0x1bc16d674ec80000', nonce: '0x7', stateDiff: { '0x01': '0x2a' } } },
    blockOverrides: { timestamp: '0x3e8', coinbase: a },
    onFailure: 'revert',
  }
  const scenario = scenarioOfStored({ request, block: { number: 17 } })
  expect(scenario).toEqual({
    calls: [{ from: a, to: b, value: '1', data: '0x12345678', fn: '', args: [] }],
    block: '17',
    accounts: [{ address: b, balance: '2', nonce: '7', code: '', slots: '0x01 = 0x2a' }],
    header: { ...emptyScenario.header, time: '1000', feeRecipient: a },
    onFailure: 'revert',
  })
  expect(readScenario(writeScenario(scenario))).toEqual(scenario)
})

it('keeps a block number that replaces the own one, and does not run on it', () => {
  const request = { call: { data: '0x' }, blockOverrides: { number: '0x99' } }
  expect(scenarioOfStored({ request, block: { number: 0x99 } })).toMatchObject({
    calls: [{ from: '', to: '', value: '0', data: '' }],
    block: 'latest',
    header: { number: '153' },
  })
})
