import { pattern } from './forms.ts'

/** The published shapes of simulations over REST, as JSON Schemas. */

const { address, hash, bytes, quantity, uuid } = pattern
const text = { type: 'string' }
const number = { type: 'number' }
const count = { type: 'integer', minimum: 0 }
const digits = { type: 'string', pattern: '^\\d+$' }
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }
const word = hash
const value = { type: ['string', 'boolean', 'array'] }

const object = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
})
const list = (items: object) => ({ type: 'array', items })
const orNull = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] })

const soltype = object(
  {
    name: text,
    type: text,
    storage_location: text,
    components: orNull(list({ type: 'object' })),
    offset: count,
    index: text,
    indexed: { type: 'boolean' },
  },
  { simple_type: object({ type: text }) },
)
const decoded = orNull(list(object({ soltype, value })))

const callTrace = {
  ...object(
    {
      hash,
      contract_name: text,
      function_name: text,
      call_type: { enum: ['CALL', 'CALLCODE', 'STATICCALL', 'DELEGATECALL', 'AUTHCALL', 'CREATE', 'CREATE2'] },
      caller_op: text,
      from: address,
      to: address,
      value: quantity,
      gas: count,
      gas_used: count,
      input: bytes,
      output: bytes,
      decoded_input: decoded,
      decoded_output: decoded,
      calls: orNull(list({ $ref: '#/$defs/callTrace' })),
    },
    { error: { type: 'string', minLength: 1 }, error_reason: text },
  ),
}

const stateDiff = {
  ...object({
    address,
    soltype: orNull(soltype),
    original: { type: ['string', 'object'] },
    dirty: { type: ['string', 'object'] },
    raw: { ...list(object({ address, key: word, original: word, dirty: word })), minItems: 1 },
  }),
  if: { properties: { soltype: object({ type: { type: 'string', pattern: '^mapping' } }) } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { original: { type: 'object' }, dirty: { type: 'object' } } },
}

const tokenInfo = object(
  {
    standard: { enum: ['ERC20', 'ERC721', 'ERC1155', 'NativeCurrency'] },
    type: { enum: ['Fungible', 'NonFungible', 'Native'] },
    symbol: text,
    name: text,
    logo: text,
    decimals: count,
    dollar_value: text,
  },
  { contract_address: address },
)

const transactionInfo = object({
  call_trace: orNull({ $ref: '#/$defs/callTrace' }),
  stack_trace: orNull(
    list(object({ contract: address, name: text, line: orNull(count), error: text, error_reason: text, op: text })),
  ),
  logs: orNull(
    list(
      object({
        name: text,
        anonymous: { type: 'boolean' },
        inputs: decoded,
        raw: object({ address, topics: list(hash), data: bytes }),
      }),
    ),
  ),
  state_diff: orNull(list(stateDiff)),
  asset_changes: orNull(
    list(
      object(
        {
          token_info: tokenInfo,
          type: { enum: ['Transfer', 'Mint', 'Burn'] },
          amount: text,
          raw_amount: digits,
          dollar_value: text,
        },
        { from: address, to: address },
      ),
    ),
  ),
  balance_diff: orNull(list(object({ address, original: digits, dirty: digits, is_miner: { type: 'boolean' } }))),
  nonce_diff: orNull(list(object({ address, original: digits, dirty: digits }))),
  console_logs: { type: ['null', 'array'] },
})

const addressOrNone = { anyOf: [address, { const: '' }] }

const transaction = object(
  {
    hash,
    block_hash: hash,
    block_number: count,
    from: address,
    to: addressOrNone,
    gas: count,
    gas_price: number,
    gas_used: count,
    cumulative_gas_used: count,
    effective_gas_price: number,
    input: bytes,
    nonce: count,
    index: count,
    value: quantity,
    status: { type: 'boolean' },
    addresses: list(address),
    contract_ids: list({ type: 'string', pattern: '^eth:\\d+:0x[\\da-f]{40}$' }),
    network_id: digits,
    function_selector: text,
    method: text,
    timestamp: time,
    call_trace: list(
      object(
        { call_type: text, from: address, to: address, value: quantity, gas: count, gas_used: count, input: bytes },
        { error: text, error_reason: text },
      ),
    ),
    transaction_info: transactionInfo,
  },
  { error_message: { type: 'string', minLength: 1 } },
)

export const simulationSchema = object({
  id: uuid,
  project_id: text,
  owner_id: text,
  network_id: digits,
  block_number: count,
  transaction_index: count,
  from: address,
  to: addressOrNone,
  input: bytes,
  gas: count,
  gas_price: digits,
  value: digits,
  method: text,
  status: { type: 'boolean' },
  access_list: list(object({ address, storage_keys: list(word) })),
  queue_origin: text,
  created_at: time,
  block_header: object({ timestamp: quantity }),
  shared: { type: 'boolean' },
})

const contract = object(
  {
    address,
    contract_name: text,
    network_id: digits,
    data: object({
      contract_info: list(object({ id: count, path: text, name: text, source: text })),
      abi: list({ type: 'object' }),
    }),
  },
  {
    standard: text,
    standards: list(text),
    token_data: object({ symbol: text, name: text }, { decimals: count }),
    child_contracts: list(object({ id: text, address, network_id: digits })),
  },
)

const $defs = { callTrace }

/** R: the answer to `simulate`, an element of that to `simulate-bundle`, and a stored simulation. */
export const resultSchema = {
  ...object({
    transaction,
    simulation: simulationSchema,
    contracts: list(contract),
    generated_access_list: list(object({ address, storage_keys: list(word) })),
  }),
  $defs,
}
export const bundleSchema = { ...object({ simulation_results: list(resultSchema) }), $defs }
export const listSchema = object({ simulations: list(simulationSchema) })
export const infoSchema = object({ transaction_info: object({ id: uuid, network_id: digits, block_number: digits }) })

const argument = object({ value, type: text, name: text })

/** The answer of the second version. */
export const v2Schema = object({
  status: { type: 'boolean' },
  gas_used: count,
  cumulative_gas_used: count,
  block_number: count,
  type: count,
  logs_bloom: { type: 'string', pattern: '^0x[\\da-f]{512}$' },
  logs: list(
    object({
      name: text,
      anonymous: { type: 'boolean' },
      inputs: orNull(list({ ...argument, required: ['value', 'type', 'name', 'indexed'] })),
      raw: object({ address, topics: list(hash), data: bytes }),
    }),
  ),
  trace: list(
    object(
      {
        type: text,
        from: address,
        to: address,
        gas: count,
        gas_used: count,
        input: bytes,
        output: bytes,
        subtraces: count,
        trace_address: list(count),
      },
      { method: text, decoded_input: list(argument), decoded_output: list(argument), error: text, error_reason: text },
    ),
  ),
})
export const v2BundleSchema = object({ simulations: list(v2Schema) })

/** Slots and their values, by contract. */
export const statesSchema = object({
  stateOverrides: {
    type: 'object',
    propertyNames: address,
    additionalProperties: object({ value: { type: 'object', propertyNames: word, additionalProperties: word } }),
  },
})
