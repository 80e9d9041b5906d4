import { pattern } from './forms.ts'

/** The published shapes of accounts, verifications and transactions of virtual networks, as JSON Schemas. */

const located = {
  type: 'object',
  required: ['address', 'network_id'],
  properties: { address: pattern.address, network_id: { type: 'string', pattern: '^\\d+$' } },
} as const

export const accountSchema = {
  type: 'object',
  required: ['id', 'account_type', 'tags'],
  properties: {
    id: { type: 'string', pattern: '^eth:\\d+:0x[\\da-f]{40}$' },
    account_type: { enum: ['contract', 'unverified_contract', 'wallet'] },
    display_name: { type: 'string' },
    tags: { type: 'array', items: { type: 'object', required: ['tag'], properties: { tag: { type: 'string' } } } },
    contract: located,
    account: located,
  },
  oneOf: [{ required: ['contract'] }, { required: ['account'] }],
} as const

export const accountsSchema = {
  type: 'object',
  required: ['accounts'],
  properties: { accounts: { type: 'array', items: accountSchema } },
} as const

export const verificationSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    compilation_errors: { type: 'array', minItems: 1 },
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { bytecode_mismatch_error: { type: 'object' }, verified_contract: { type: 'object' } },
      },
    },
  },
} as const

export const vnetTransactionSchema = {
  type: 'object',
  required: [
    'id',
    'vnet_id',
    'origin',
    'category',
    'kind',
    'status',
    'tx_hash',
    'from',
    'to',
    'input',
    'nonce',
    'value',
  ],
  properties: {
    id: pattern.uuid,
    vnet_id: pattern.uuid,
    origin: { enum: ['rpc', 'copy', 'api', 'system', 'dashboard', 'cli', 'sdk'] },
    category: { type: 'string' },
    kind: { type: 'string' },
    status: { type: 'string' },
    error_reason: { type: ['string', 'null'] },
    rpc_method: { type: ['string', 'null'] },
    created_at: { type: ['string', 'null'] },
    block_number: { anyOf: [pattern.quantity, { type: 'null' }] },
    tx_hash: pattern.hash,
    tx_index: { anyOf: [pattern.quantity, { type: 'null' }] },
    from: pattern.address,
    to: { anyOf: [pattern.address, { type: 'null' }] },
    input: pattern.bytes,
    nonce: pattern.quantity,
    value: pattern.quantity,
    gas: pattern.quantity,
    gas_price: pattern.quantity,
  },
} as const
