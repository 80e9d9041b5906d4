import type { Random } from '@understudy/testkit'
import { RawJson } from './rawJson.ts'

type Path = (string | number)[]

const nested = (open: string, close: string, depth: number) => new RawJson(open.repeat(depth) + close.repeat(depth))

/** Replacements for a value: of another type, out of range, or hostile to parsers. */
const junk: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, 2 ** 31, -(2 ** 63), 1e300, Number.MIN_VALUE],
  ...['-0', '1e400', '-1e400', '1E+2', '0.1e-999', '9'.repeat(400)].map((text) => new RawJson(text)),
  ...['', ' ', 'nope', 'latest2', '-1', '-0x1', '1e3', '0.5', 'NaN', 'Infinity', '0x', '0X', '0xzz', '0x 1', '１'],
  ...['0x1', '0x123', `0x${'11'.repeat(19)}`, `0x${'11'.repeat(21)}`, `0x${'11'.repeat(31)}`, `0x${'11'.repeat(33)}`],
  ...[
    `0x1${'0'.repeat(64)}`,
    `0x${'f'.repeat(64)}`,
    '9'.repeat(78),
    '9'.repeat(79),
    'x'.repeat(10_000),
    `0x${'00'.repeat(50_000)}`,
  ],
  ...[
    '\u0000',
    '💥',
    '\ud800',
    '\u202e',
    'a\nb',
    '{{x}}',
    "'; drop table blocks; --",
    '../../etc/passwd',
    '%s%n',
    '<b>',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'length'],
  ...[[], {}, [[]], [null], { nope: 1 }, { address: '0x12' }, { blockHash: '0x1' }, { blockNumber: -1 }, { id: {} }],
  ...[
    { length: 5 },
    new RawJson('{"then":1}'),
    { toString: 1, valueOf: 2 },
    { toJSON: 'x' },
    Array(1001).fill('0x1'),
    Array(20_000).fill(0),
  ],
  // Sizes that no schema expects.
  ...[
    Array(70_000).fill(`0x${'ab'.repeat(32)}`),
    Array(100_000).fill(null),
    [Array(1_001).fill(`0x${'5e'.repeat(20)}`)],
  ],
  ...['x'.repeat(1_000_000), '9'.repeat(100_000), `0x${'f'.repeat(200_000)}`, `f(${'('.repeat(40_000)}`],
  Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, key])),
  new RawJson('{"__proto__":{"polluted":true}}'),
  new RawJson('{"constructor":{"prototype":{"polluted":true}}}'),
  new RawJson('{"a":1,"a":{},"a":[]}'),
  nested('[', ']', 500),
  new RawJson(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
  nested('[', ']', 5000),
  nested('[', ']', 250),
  // ABIs, within objects and as text.
  nested('{"type":"tuple","components":[', ']}', 17),
  nested('{"type":"tuple","components":[', ']}', 2000),
  `[{"type":"function","name":"f","inputs":[${'{"type":"tuple","components":['.repeat(2000)}${']}'.repeat(2000)}]}]`,
]

/** Field names that no schema has, or every object has. */
const strangeNames = [
  'nope',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '0',
  '\u0000',
  '💥',
  'then',
  'x'.repeat(5000),
]

/** Parameters with one thing wrong with them. */
export function spoiled(params: readonly unknown[], random: Random): unknown {
  const kind = random.below(12)
  if (kind === 0)
    return random.pick<unknown>([{}, 'x', 7, null, [[]], [...params, ...Array(8).fill('0x1')], [], [params]])
  if (kind === 1) return params.slice(0, random.below(params.length + 1))
  const paths = pathsOf(params)
  if (paths.length === 0) return [random.pick(junk)]
  const path = random.pick(paths)
  if (kind === 2) return changed(params, path, without)
  if (kind === 3) return changed(params, path, (value) => withField(value, random))
  if (kind === 4) return changed(params, path, (value) => [value])
  if (kind === 5) return changed(params, path, (value) => mangled(value, random))
  return changed(params, path, () => random.pick(junk))
}

/** Every path within a value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return [path]
  const inside = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inside : [path, ...inside]
}

const removed = Symbol('removed')
const without = (): unknown => removed

function withField(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value }
  const name = random.pick(strangeNames)
  const text = JSON.stringify(value)
  const more = `${JSON.stringify(name)}:1`
  return new RawJson(text === '{}' ? `{${more}}` : `${text.slice(0, -1)},${more}}`)
}

/** A text with one character changed, or a number next to the original. */
function mangled(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return value + random.pick([-1, 1, 0.5, 2 ** 40])
  if (typeof value !== 'string' || value === '') return value === null ? 0 : null
  const at = random.below(value.length)
  return (
    value.slice(0, at) +
    random.pick(['', 'g', '0', ' ', '\u0000', 'é', value.slice(at, at + 1).repeat(3)]) +
    value.slice(at + 1)
  )
}

function changed(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  if (Array.isArray(value))
    return value
      .map((item, index) => (index === key ? changed(item, rest, change) : item))
      .filter((item) => item !== removed)
  const { [key]: old, ...others } = value as Record<string, unknown>
  const now = changed(old, rest, change)
  return now === removed ? others : { ...others, [key]: now }
}
