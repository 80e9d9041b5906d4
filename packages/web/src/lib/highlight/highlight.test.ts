import { expect, it } from 'vitest'
import { highlight } from './highlight.ts'

const kinds = (source: string, path = 'A.sol') =>
  highlight(source, path).map((line) =>
    line.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => [kind, text]),
  )

it('tells keywords, types, numbers, texts and comments apart', () => {
  expect(kinds('uint256 public x = 0x1f; // "no" string')).toEqual([
    [
      ['type', 'uint256'],
      ['keyword', 'public'],
      ['number', '0x1f'],
      ['comment', '// "no" string'],
    ],
  ])
  expect(kinds(`emit Log("a // b", 'c', 1e18);`)).toEqual([
    [
      ['keyword', 'emit'],
      ['string', '"a // b"'],
      ['string', "'c'"],
      ['number', '1e18'],
    ],
  ])
})

it('highlights a comment over several lines, to the end when it is never closed', () => {
  expect(kinds('/* a\n b */ new\n/* c\nnew')).toEqual([
    [['comment', '/* a']],
    [
      ['comment', ' b */'],
      ['keyword', 'new'],
    ],
    [['comment', '/* c']],
    [['comment', 'new']],
  ])
})

it('reads Vyper by the name of the file', () => {
  expect(kinds('x: uint256 # new', 'A.vy')).toEqual([
    [
      ['type', 'uint256'],
      ['comment', '# new'],
    ],
  ])
})

it('leaves no character out', () => {
  const source = 'contract A {\n\n  string s = "ü\\"";\n}\n'
  expect(
    highlight(source, 'A.sol')
      .map((line) => line.map(({ text }) => text).join(''))
      .join('\n'),
  ).toBe(source)
})
