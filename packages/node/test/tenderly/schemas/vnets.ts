import { pattern } from './forms.ts'

/** The published shapes of virtual networks, as JSON Schemas. */

const rpcs = {
  type: 'array',
  minItems: 2,
  items: {
    type: 'object',
    required: ['name', 'url'],
    properties: {
      name: { enum: ['Admin RPC', 'Public RPC', 'Admin websocket RPC', 'Public websocket RPC'] },
      url: { type: 'string', pattern: '^(https?|wss?)://' },
    },
  },
} as const

export const vnetSchema = {
  type: 'object',
  required: [
    'id',
    'slug',
    'display_name',
    'fork_config',
    'virtual_network_config',
    'sync_state_config',
    'explorer_page_config',
    'rpcs',
  ],
  properties: {
    id: pattern.uuid,
    slug: { type: 'string', minLength: 1 },
    display_name: { type: 'string' },
    fork_config: {
      type: 'object',
      required: ['network_id', 'block_number'],
      properties: { network_id: { type: 'integer' }, block_number: { anyOf: [pattern.quantity, { const: 'latest' }] } },
    },
    virtual_network_config: {
      type: 'object',
      required: ['chain_config'],
      properties: {
        chain_config: { type: 'object', required: ['chain_id'], properties: { chain_id: { type: 'integer' } } },
      },
    },
    sync_state_config: { type: 'object', required: ['enabled'], properties: { enabled: { type: 'boolean' } } },
    explorer_page_config: {
      type: 'object',
      required: ['enabled', 'verification_visibility'],
      properties: {
        enabled: { type: 'boolean' },
        verification_visibility: { enum: ['bytecode', 'abi', 'source'] },
      },
    },
    rpcs,
  },
} as const

export const vnetListSchema = { type: 'array', items: vnetSchema } as const
