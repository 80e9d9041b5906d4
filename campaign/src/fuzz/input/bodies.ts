import type { Random } from '@understudy/testkit'

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const send = '{"jsonrpc":"2.0","id":2,"method":"evm_mine"}'

/** Malformed bodies. */
const crafted: readonly (string | Buffer)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '7',
    '"x"',
    '{}',
    '[]',
    '[[]]',
    '[{}]',
    '[1]',
    '[null]',
    '{',
    '[',
    '}',
    ']',
    '"',
    '\\',
    '\u0000',
  ],
  ...[
    `[${call},]`,
    `[${call}`,
    `${call}${call}`,
    `${call}\n${call}`,
    `/* c */${call}`,
    `\ufeff${call}`,
    `[[${call}]]`,
    `[${call},[${call}],[],7]`,
  ],
  ...[
    '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}',
    '{"jsonrpc":2,"id":1,"method":"eth_chainId"}',
    '{"id":1}',
    '{"method":1,"id":1}',
  ],
  ...[
    'null',
    '{}',
    '[]',
    '1.5',
    '-1e-7',
    '18446744073709551616',
    '"\\u0069d"',
    '-0',
    '1e400',
    '"x"',
    'true',
    '9007199254740993',
    `"${'x'.repeat(100_000)}"`,
  ].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`),
  ...['null', '{}', '7', '"x"', '{"0":1}', '[[[]]]'].map(
    (params) => `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${params}}`,
  ),
  ...[
    '__proto__',
    'constructor',
    'toString',
    'rpc.discover',
    'eth_chainId ',
    'ETH_CHAINID',
    '\\u0000',
    'x'.repeat(10_000),
  ].map((method) => `{"jsonrpc":"2.0","id":1,"method":"${method}"}`),
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_chainId","method":"evm_mine"}',
  '{"__proto__":{"method":"evm_mine"},"id":1}',
  '['.repeat(100_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"jsonrpc":"2.0","id":${'['.repeat(5000)}${']'.repeat(5000)},"method":"eth_chainId"}`,
  `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[${'9'.repeat(1_000_000)}]}`,
  `[${Array(1000).fill(call).join(',')}]`,
  `[${Array(1001).fill(call).join(',')}]`,
  `[${Array(50_000).fill('1').join(',')}]`,
  `[${call},${send},${call}]`.slice(0, -3),
  Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_'),
    Buffer.from([0xc3, 0x28, 0xf0, 0x28]),
    Buffer.from('"}'),
  ]),
  Buffer.from(call, 'utf16le'),
  Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(call)]),
]

/** A body that was crafted, or a good one with a few of its bytes changed. */
export function randomBody(random: Random): Buffer {
  if (random.below(2) === 0) return Buffer.from(random.pick(crafted))
  const bytes = Buffer.from(random.pick([call, `[${call},${call}]`]))
  for (let changes = 1 + random.below(4); changes > 0; changes--) bytes[random.below(bytes.length)] = random.below(256)
  return random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
}
