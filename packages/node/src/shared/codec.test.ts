import { expect, it } from 'vitest'
import { z } from 'zod'
import { firstProblem } from './codec.ts'

const Move = z.union(
  [
    z.enum(['in', 'out']),
    z.strictObject({ step: z.number() }),
    z.strictObject({ lines: z.array(z.strictObject({ line: z.number() })) }),
  ],
  { error: 'expected in, out, { step } or { lines }' },
)

it.each([
  ['sideways', [], 'expected in, out, { step } or { lines }'],
  [7, [], 'expected in, out, { step } or { lines }'],
  [{ step: 'x' }, ['step'], 'expected a number, got "x"'],
  [{ lines: [{ line: 'x' }] }, ['lines', 0, 'line'], 'expected a number, got "x"'],
])('names what is wrong in %j, of the form that was meant', (given, path, text) => {
  const { error } = Move.safeParse(given)
  expect(error && firstProblem(error, given)).toEqual({ path, text })
})
