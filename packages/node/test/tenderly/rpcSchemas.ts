import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

type Schemas = { $defs: object; methods: Record<string, object> }

const { $defs, methods } = JSON.parse(readFileSync(new URL('schemas/rpc.json', import.meta.url), 'utf8')) as Schemas

const ajv = new Ajv({ strict: false, allErrors: true })
const validators = new Map(Object.entries(methods).map(([name, schema]) => [name, ajv.compile({ ...schema, $defs })]))

/** Methods whose answers have a schema. */
export const describedMethods = Object.keys(methods)

/** The answer of a method, if it has the published shape. Throws what is wrong with it. */
export function inShape<Answer>(method: string, answer: Answer): Answer {
  const validate = validators.get(method)
  if (!validate) throw new Error(`no schema describes ${method}`)
  if (!validate(answer))
    throw new Error(`${method}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer).slice(0, 2000)}`)
  return answer
}
