import { expect, it } from 'vitest'
import { emptyCall, emptyScenario, readScenario, scenarioLimit, writeScenario } from './scenario.ts'

it('reads what it wrote', () => {
  const scenario = {
    ...emptyScenario,
    calls: [{ ...emptyCall, from: '0xaa', fn: '0x12345678', args: ['1', '[2, "x"]'] }, emptyCall],
    block: '17',
    accounts: [{ address: '0xbb', balance: '1.5', nonce: '', code: '', slots: '0x1 = 0x2' }],
    header: { ...emptyScenario.header, time: '99' },
  }
  expect(readScenario(writeScenario(scenario))).toEqual(scenario)
  expect(writeScenario(emptyScenario)).toBe('{"calls":[{}]}')
})

it.each([undefined, '', 'null', '[]', '7', '{"calls":7,"accounts":{},"header":null,"block":{}}', '{"calls":[]}'])(
  'begins empty with %s',
  (text) => {
    expect(readScenario(text)).toEqual(emptyScenario)
  },
)

it('bounds what a link fills in, and takes text only', () => {
  const calls = Array.from({ length: 10_000 }, () => ({
    from: { toString: 'x' },
    args: [{ toString: 'x' }],
    value: 1,
    data: 'a'.repeat(200_000),
  }))
  const { calls: read } = readScenario(
    JSON.stringify({ calls: calls.slice(0, scenarioLimit + 1), __proto__: { x: 1 } }),
  )
  expect(read).toHaveLength(scenarioLimit)
  expect(read[0]).toEqual({ ...emptyCall, data: 'a'.repeat(100_000), args: [''] })
})
