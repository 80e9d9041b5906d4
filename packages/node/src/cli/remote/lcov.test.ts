import { expect, it } from 'vitest'
import { lcovOf } from './lcov.ts'

it('keeps each name in its row, whatever it holds', () => {
  const file = {
    path: 'a,b\nend_of_record\n.sol',
    reachedLines: [1],
    missedLines: [],
    functions: [{ name: 'F.f\r\nDA:9,9', line: 1, isReached: true }],
    branches: [],
  }
  expect(lcovOf([file])).toBe(`TN:
SF:a,b end_of_record .sol
FN:1,F.f  DA:9,9
FNDA:1,F.f  DA:9,9
FNF:1
FNH:1
BRF:0
BRH:0
DA:1,1
LF:1
LH:1
end_of_record
`)
})
