import { cpuTime } from '@understudy/testkit'
import { describe, expect, it } from 'vitest'
import { parseContractAbi } from './contractAbi.ts'

const nested = (depth: number): object =>
  depth === 0 ? { type: 'uint256' } : { type: 'tuple', components: [nested(depth - 1)] }
const event = (inputs: unknown) => JSON.stringify([{ type: 'event', name: 'E', inputs }])

describe('the ABI of a contract', () => {
  it('is indexed by what its signatures hash to, whatever the parameters are called', () => {
    const parsed = parseContractAbi(
      JSON.stringify([
        { type: 'function', name: 'transfer', inputs: [{ type: 'address', name: ') (' }, { type: 'uint256' }] },
        { type: 'event', name: 'Deep', inputs: [nested(16)] },
        { type: 'function', name: 'of', inputs: [{ type: 'Store.Data storage', name: 'self' }], outputs: [] },
      ]),
    )
    if ('problem' in parsed) throw new Error(parsed.problem)
    expect([...parsed.abi.functions.keys()]).toEqual(['0xa9059cbb'])
    expect(parsed.abi.events.size).toBe(1)
  })

  it.each([
    ['more text than compilers write', ' '.repeat(5_000_001), 'has more than 5000000 characters'],
    [
      'too many fragments',
      `[${'{"type":"receive"},'.repeat(10_000)}{"type":"receive"}]`,
      'has more than 10000 fragments',
    ],
    [
      'too many parameters',
      event(Array.from({ length: 1_001 }, () => ({ type: 'bool' }))),
      'fragment 0: has more than 1000 parameters',
    ],
    ['tuples 17 deep', event([nested(17)]), 'fragment 0: tuples are nested more than 16 deep'],
    ['tuples 2 000 deep', event([nested(2_000)]), 'is nested more than 256 deep'],
    ['tuples without components', event([{ type: 'tuple[9]' }]), 'fragment 0.inputs[0].components: is a tuple without'],
    ['a type that is none', event([{ type: 'unt' }]), 'fragment 0.inputs[0].type: expected an ABI type, got "unt"'],
    ['storage many times', event([{ type: `${' storage'.repeat(50_000)}\n` }]), 'type: has more than 500 characters'],
    ['points many times', event([{ type: `A${'s.s'.repeat(100_000)}\n` }]), 'type: has more than 500 characters'],
  ])('is refused in no time when it has %s', (_, json, problem) => {
    const before = cpuTime()
    const parsed = parseContractAbi(json)
    expect(cpuTime() - before).toBeLessThan(500)
    expect('problem' in parsed && parsed.problem).toContain(problem)
  })
})
