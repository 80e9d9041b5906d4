import type { Random } from '@understudy/testkit'
import { artifacts, testAccounts } from '@understudy/testkit'

/** The part of JSON Schema that `rpc.discover` uses. */
export type Schema = {
  title?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

const addresses = [
  ...testAccounts.slice(0, 3).map(({ address }) => address),
  '0x00000000000000000000000000000000000000aa',
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  `0x${'ff'.repeat(20)}`,
]
const zero = `0x${'0'.repeat(64)}`
const erc20 =
  '[{"type":"function","name":"balanceOf","inputs":[{"name":"","type":"address"}],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"}]'

const hex = (random: Random, bytes: number) =>
  `0x${Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, '0')).join('')}`
const small = (random: Random) =>
  random.pick([`0x${random.below(100).toString(16)}`, random.below(100), `${random.below(100)}`])
const amount = (random: Random) =>
  random.pick([
    `0x${random.below(2 ** 30).toString(16)}`,
    random.below(2 ** 30),
    `${random.below(2 ** 30)}`,
    `0x${'f'.repeat(1 + random.below(16))}`,
    '0x0',
  ])
const tag = (random: Random) => random.pick(['latest', 'pending', 'safe', 'finalized', 'earliest', '0x0', '0x1', 0, 2])

/** Values of named types. */
const named: Record<string, (random: Random) => unknown> = {
  Address: (random) => random.pick(addresses),
  Quantity: amount,
  Quantity64: amount,
  ChainId: (random) => random.pick(['0x1', 1, 31337, 31338, '0x7a69']),
  Hash: (random) => random.pick([zero, hex(random, 32)]),
  Word32: (random) => random.pick([zero, hex(random, 32), `0x${'f'.repeat(64)}`]),
  Bytes: (random) =>
    random.pick(['', '0x', hex(random, 4), hex(random, random.below(300)), '0x6001600055', artifacts.Counter.bytecode]),
  Bytes4: (random) => hex(random, 4),
  DecodableData: (random) => random.pick(['', '0x', hex(random, 4), hex(random, random.below(300))]),
  SelectedData: (random) => random.pick(['0x70a08231', hex(random, 4 + random.below(300))]),
  SignatureOrPair: (random) => [hex(random, 65), random.pick(addresses)],
  Blob: (random) => `0x${random.pick(['00', '01', 'ff']).repeat(131_072)}`,
  KzgPoint: (random) => hex(random, 48),
  BlockTag: (random) => random.pick([tag(random), { blockNumber: '0x0' }, { blockHash: zero }]),
  BlockNumberOrTag: tag,
  Slot: (random) => random.pick([random.below(20), `${random.below(20)}`, zero, hex(random, 32)]),
  SignedNumber: (random) => random.pick([random.below(100), `-${random.below(100)}`, '0xff']),
  Amount: (random) => random.pick([amount(random), `${random.below(10 ** 9)}`]),
  Nonce: (random) => random.pick([random.below(20), `${random.below(20)}`, '0xfffffffffffffffe']),
  Seconds: small,
  SealTimeout: () => 1,
  BlockCount: (random) => random.below(4),
  Depth: (random) => random.below(3),
  Price: amount,
  Factory: (random) => random.pick([...addresses, '0x7702']),
  FilterId: (random) => hex(random, 1 + random.below(16)),
  IntervalSeconds: (random) => random.below(100),
  // Within the bounds of every field that takes it.
  WholeNumber: (random) => 1 + random.below(15),
  PageSize: (random) => 1 + random.below(100),
  Duration: (random) => random.pick(['5s', '300ms', '1m30s']),
  MiningMode: (random) => random.pick(['instant', 'manual', 'replay', 'interval:100']),
  ResetTarget: (random) =>
    random.pick<unknown>([
      ...[null, {}, { forking: null }, { forking: {} }, { jsonRpcUrl: null }, { blockNumber: null }],
      ...[{ blockNumber: `${random.below(3)}` }, { forking: { blockNumber: small(random), jsonRpcUrl: null } }],
    ]),
  MineOptions: (random) => random.pick([null, {}, { blocks: random.below(4) }]),
  FunctionAbi: (random) =>
    random.pick([
      'function f(uint256 a) view returns (uint256)',
      'function g()',
      JSON.parse(erc20)[0],
      JSON.stringify(JSON.parse(erc20)[0]),
    ]),
  TypedData: () => ({
    types: { EIP712Domain: [], A: [{ name: 'a', type: 'uint256' }] },
    primaryType: 'A',
    domain: {},
    message: { a: 1 },
  }),
  ShadowRule: (random) =>
    random.pick([
      'ignore gas below 2 %',
      'ignore gas below 0.5%',
      'ignore storage',
      'only status',
      'only event Transfer',
    ]),
  // They depend on the topic, which the schema does not say.
  SubscriptionOptions: () => null,
}

/** A value that a schema allows. */
export function valueFrom(schema: Schema, random: Random): unknown {
  const ofName = schema.title === undefined ? undefined : named[schema.title]
  if (ofName) return ofName(random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return valueFrom(random.pick(schema.anyOf), random)
  switch (typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? ['null'])) {
    case 'boolean':
      return random.below(2) === 0
    case 'integer':
    case 'number':
      return Math.min((schema.minimum ?? 0) + random.below(10), schema.maximum ?? 2 ** 50)
    case 'string':
      return random.pick(['abc', 'A name', erc20, '["0x00000000000000000000000000000000000000aa"]', '0', '0x00'])
    case 'array':
      return arrayOf(schema, random)
    case 'object':
      return objectOf(schema, random)
    default:
      return null
  }
}

function arrayOf(schema: Schema, random: Random): unknown[] {
  if (schema.prefixItems) return schema.prefixItems.map((item) => valueFrom(item, random))
  const least = schema.minItems ?? 0
  const length = Math.min(least + random.below(3), schema.maxItems ?? 10)
  return Array.from({ length }, () => valueFrom(schema.items ?? {}, random))
}

function objectOf(schema: Schema, random: Random): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) || random.below(4) === 0) value[name] = valueFrom(field, random)
  const { additionalProperties: others } = schema
  if (typeof others === 'object' && !schema.properties)
    for (let count = random.below(3); count > 0; count--) value[random.pick(addresses)] = valueFrom(others, random)
  return value
}
