import { Ajv } from 'ajv'

/** Forms of values in Tenderly's answers. */
export const pattern = {
  uuid: { type: 'string', pattern: '^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$' },
  quantity: { type: 'string', pattern: '^0x(0|[1-9a-f][\\da-f]*)$' },
  address: { type: 'string', pattern: '^0x[\\da-f]{40}$' },
  hash: { type: 'string', pattern: '^0x[\\da-f]{64}$' },
  bytes: { type: 'string', pattern: '^0x([\\da-f]{2})*$' },
} as const

/** The answer to a request that fails. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['id', 'slug', 'message'],
      properties: { id: pattern.uuid, slug: { type: 'string' }, message: { type: 'string', minLength: 1 } },
    },
  },
} as const

const ajv = new Ajv({ strict: false, allErrors: true })

/** Throws with what is wrong with a value. */
export function requireForm(schema: object, value: unknown): void {
  const validate = ajv.compile(schema)
  if (!validate(value)) throw new Error(`${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
}
