import { expect, it } from 'vitest'
import { parseExpression, type Term } from './expression.ts'

const values = new Map<string, Term>([
  ['assets', 100n],
  ['debt', 80n],
  ['owner', '0xAb00000000000000000000000000000000000000'],
  ['paused', false],
])
const run = (text: string) => parseExpression(text, new Set(values.keys()))(values)

it.each([
  ['1 + 2 * 3', 7n],
  ['(1 + 2) * 3', 9n],
  ['10 - 2 - 3', 5n],
  ['-debt + 7 / 2 - 9 % 4', -78n],
  ['debt * 10 <= assets * 8', true],
  ['debt*10 < assets*8', false],
  ['!paused && (debt < 1 || assets == 0x64)', true],
  ['owner == owner && owner != assets', true],
  ['paused || debt > 79 == true', true],
])('computes %s', (text, value) => expect(run(text)).toBe(value))

it.each([
  ['debt / 0', 'it divides by zero'],
  ['owner + 1', '0xAb00000000000000000000000000000000000000 is not an integer'],
  ['debt && paused', '80 is not true or false'],
])('says why %s has no value', (text, message) => expect(() => run(text)).toThrow(message))

it.each(['', ' ', '1 +', '(1', '1 2', 'nothing', 'a b', '1 @ 2', ')', `${'('.repeat(60)}1${')'.repeat(60)}`])(
  'refuses %s',
  (text) => expect(() => run(text)).toThrow(/check\.holds/),
)
