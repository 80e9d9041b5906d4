import type { Address, Hex } from '@understudy/evm'
import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { quantity, wordFromBigint } from '../../../shared/hex.ts'
import { decodeFields } from '../fields.ts'

/** A number as clients send it: as JSON, as decimal digits, or as 0x-hex. As a quantity; `undefined` without one. */
const Amount = codec<unknown, Hex>('a whole number, as JSON, decimal digits or 0x-hex', (value) => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? quantity(BigInt(value)) : undefined
  if (typeof value !== 'string' || !/^(?:0x[\da-f]{1,64}|\d{1,78})$/i.test(value)) return undefined
  return quantity(BigInt(value))
})
/** Of a field that may be left out, be null, or be empty. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

const AnyAddress = codec<unknown, Address>('a 20-byte address', (value) =>
  typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value) ? (value.toLowerCase() as Address) : undefined,
)
const AnyBytes = codec<unknown, Hex>('0x-hex', (value) =>
  typeof value === 'string' && /^(?:0x)?(?:[\da-f]{2})*$/i.test(value)
    ? (`0x${value.replace(/^0x/i, '').toLowerCase()}` as Hex)
    : undefined,
)
const AnyWord = codec<unknown, Hex>('at most 32 bytes, as 0x-hex or as a number', (value) => {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^(?:0x[\da-f]{1,64}|\d{1,78})$/i.test(text)) return undefined
  const number = BigInt(text)
  return number < 2n ** 256n ? wordFromBigint(number) : undefined
})

/** A block: by its number, or by its name; `undefined`, null and -2 are the latest. */
const AnyBlock = z.preprocess(
  (value) => (value === null || value === '' || value === -2 || value === '-2' ? undefined : value),
  codec<unknown, string>('the number of a block, or its name', (value) => {
    if (typeof value === 'string' && /^(?:latest|earliest|pending|safe|finalized)$/.test(value)) return value
    const number = typeof value === 'number' ? String(value) : value
    return typeof number === 'string' && /^(?:0x[\da-f]{1,16}|\d{1,18})$/i.test(number)
      ? quantity(BigInt(number))
      : undefined
  }).optional(),
)

const AccessList = z.array(
  z
    .looseObject({
      address: AnyAddress,
      storage_keys: z.array(AnyWord).optional(),
      storageKeys: z.array(AnyWord).optional(),
    })
    .transform(({ address, storage_keys, storageKeys }) => ({
      address,
      storageKeys: storage_keys ?? storageKeys ?? [],
    })),
)

const Account = z
  .looseObject({
    balance: optional(Amount),
    nonce: optional(Amount),
    code: optional(AnyBytes),
    storage: optional(z.record(AnyWord as z.ZodType<Hex, string>, AnyWord)),
    state: optional(z.record(AnyWord as z.ZodType<Hex, string>, AnyWord)),
    state_diff: optional(z.record(AnyWord as z.ZodType<Hex, string>, AnyWord)),
    stateDiff: optional(z.record(AnyWord as z.ZodType<Hex, string>, AnyWord)),
  })
  .transform(({ balance, nonce, code, state, ...slots }) => {
    const stateDiff = slots.storage ?? slots.state_diff ?? slots.stateDiff
    return withoutGaps({ balance, nonce, code, state, stateDiff })
  })

/** Overrides of accounts, by address. */
export const Accounts = z.record(AnyAddress as z.ZodType<Address, string>, Account)

export const callFields = {
  from: optional(AnyAddress),
  to: optional(AnyAddress),
  input: optional(AnyBytes),
  data: optional(AnyBytes),
  gas: optional(Amount),
  gas_limit: optional(Amount),
  gas_price: optional(Amount),
  max_fee_per_gas: optional(Amount),
  max_priority_fee_per_gas: optional(Amount),
  value: optional(Amount),
  access_list: optional(AccessList),
}

const ChainId = codec<unknown, bigint>('the id of a chain, as text or as a number', (value) => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[1-9]\d{0,19}$/.test(text) ? BigInt(text) : undefined
})

/** A simulation as the REST interface takes it. Unknown fields are ignored, as its clients expect. */
const Body = z.looseObject({
  ...callFields,
  network_id: optional(ChainId),
  block_number: AnyBlock,
  transaction_index: optional(Amount),
  simulation_type: optional(z.enum(['full', 'quick', 'abi'])),
  save: optional(z.boolean()),
  save_if_fails: optional(z.boolean()),
  estimate_gas: optional(z.boolean()),
  generate_access_list: optional(z.boolean()),
  block_header: optional(z.looseObject({ number: optional(Amount), timestamp: optional(Amount) })),
  state_objects: optional(Accounts),
})

export type SimulationBody = z.output<typeof Body>

/** Throws `INVALID_PARAMS`; `field` is the path of the body in the request. */
export function simulationBody(given: unknown, field = ''): SimulationBody {
  const body = decodeFields(Body, given, field)
  requireOneInput(body, field)
  return body
}

export function requireOneInput(
  { data, input }: { data?: Hex | undefined; input?: Hex | undefined },
  field: string,
): void {
  if (data !== undefined && input !== undefined && data !== input)
    throw new NetworkError('INVALID_PARAMS', {
      field: `${field}${field && '.'}input`,
      problem: 'differs from data; pass one of them',
    })
}

type CallFields = { [Name in keyof typeof callFields]?: z.output<(typeof callFields)[Name]> }

/** A call as `eth_call` has it. A limit and a price of 0 are those that are not given. */
export function callOf(fields: CallFields) {
  const gas = fields.gas === '0x0' ? fields.gas_limit : (fields.gas ?? fields.gas_limit)
  const gasPrice = fields.gas_price === '0x0' ? undefined : fields.gas_price
  const isDynamic = gasPrice === undefined
  return withoutGaps({
    from: fields.from,
    to: fields.to,
    data: fields.input ?? fields.data,
    gas: gas === '0x0' ? undefined : gas,
    gasPrice,
    maxFeePerGas: isDynamic ? fields.max_fee_per_gas : undefined,
    maxPriorityFeePerGas: isDynamic ? fields.max_priority_fee_per_gas : undefined,
    value: fields.value,
    accessList: fields.access_list,
  })
}

type Wanted = Pick<SimulationBody, 'save' | 'save_if_fails'>

/** Which outcomes are stored: by `save` those of calls that succeed, by `save_if_fails` the others. */
function savedOf(bodies: readonly Wanted[]): boolean | 'succeeded' | 'failed' {
  const succeeded = bodies.some(({ save }) => save === true)
  const failed = bodies.some(({ save_if_fails }) => save_if_fails === true)
  if (succeeded && failed) return true
  if (!succeeded && !failed) return false
  return succeeded ? 'succeeded' : 'failed'
}

/** Each result has the ABIs of its contracts, which are longer than all the rest: those of longer bundles have none. */
const bundleWithAbis = 50

/** The parameters of `dev_simulate`: a bundle ends with its first failure. Throws `INVALID_PARAMS`. */
export function simulateParams(bodies: readonly SimulationBody[]) {
  const [first = {} as SimulationBody] = bodies
  const { block_number, transaction_index, block_header, simulation_type } = first
  for (const [index, body] of bodies.entries())
    for (const field of ['network_id', 'block_number', 'transaction_index'] as const)
      if (body[field] !== undefined && body[field] !== first[field])
        throw new NetworkError('INVALID_PARAMS', {
          field: `simulations[${index}].${field}`,
          problem: 'differs from that of the first simulation; a bundle runs on one state of one chain',
        })
  const accounts = accountsOf(bodies)
  return {
    calls: bodies.map(callOf),
    block: block_number ?? 'latest',
    onFailure: 'stop' as const,
    detail: simulation_type === 'quick' ? ('quick' as const) : ('full' as const),
    gasLimits: bodies.some(({ estimate_gas }) => estimate_gas === true),
    abis: simulation_type !== 'quick' && bodies.length <= bundleWithAbis,
    save: savedOf(bodies),
    ...withoutGaps({
      // Clients send 0 with the latest block, where they mean its end: what was set since is part of it.
      transactionIndex: block_number === undefined || block_number === 'latest' ? undefined : transaction_index,
      blockOverrides: block_header && withoutGaps({ number: block_header.number, time: block_header.timestamp }),
      stateOverrides: Object.keys(accounts).length === 0 ? undefined : accounts,
    }),
  }
}

/** The overrides of all simulations, which hold from the first one on. Throws `INVALID_PARAMS` where they differ. */
function accountsOf(bodies: readonly SimulationBody[]): z.output<typeof Accounts> {
  const all: z.output<typeof Accounts> = {}
  for (const [index, { state_objects = {} }] of bodies.entries())
    for (const [address, account] of Object.entries(state_objects)) {
      const known = all[address as Address]
      if (known && JSON.stringify(known) !== JSON.stringify(account))
        throw new NetworkError('INVALID_PARAMS', {
          field: `simulations[${index}].state_objects.${address}`,
          problem: 'differs from that of an earlier simulation; the overrides of a bundle hold from its beginning',
        })
      all[address as Address] = account
    }
  return all
}

/** Without the fields that are not given. */
export function withoutGaps<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
