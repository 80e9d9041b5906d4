import type { Method } from '../../packages/node/src/rpc/defineMethod.ts'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { describeParams, meaningOf } from '../../packages/node/src/rpc/openRpc.ts'
import { type Schema, schemaOf } from './typeText.ts'

/** A parameter of an action, or a field of the object that comes last. */
export type ActionField = { name: string; isOptional: boolean; schema: Schema; text: string | undefined }

/** A method of our own, as an action of the client: `dev_setBalance` is `client.dev.setBalance`. */
export type Action = {
  method: Method
  namespace: string
  /** Its name in the namespace. */
  name: string
  /** The name of its types: `SetBalance` of `SetBalanceParameters`; those of Tenderly's and Alchemy's methods begin with that name. */
  typeName: string
  /** Whether its one parameter may be left out. */
  isOptional: boolean
  /** The fields of its one parameter. */
  fields: readonly ActionField[]
  /** The parameters of the method whose names are those of fields. */
  named: readonly string[]
  /** The fields of the last parameter, if it is an object whose fields stand beside the others. */
  spread: readonly ActionField[] | undefined
}

/** The actions of the client, in the order of their methods. */
export const actions: readonly Action[] = methods
  .filter(({ name }) => /^(dev|mock|tenderly|alchemy)_/.test(name))
  .map(actionOf)

function actionOf(method: Method): Action {
  const [namespace = '', name = ''] = method.name.split('_')
  const described = describeParams(method)
  const params = Object.entries(method.params).map(([param, schema], index): ActionField => {
    const { isOptional = false, description } = described[index] ?? {}
    return { name: param, isOptional, schema: schemaOf(schema, 'input'), text: description }
  })
  const last = params.at(-1)
  const spread = last && optionsOf(last)?.map((field) => ({ ...field, text: meaningOf(method, field.name) }))
  const named = spread ? params.slice(0, -1) : params
  const fields = [...named, ...(spread ?? [])]
  const names = fields.map((field) => field.name)
  if (new Set(names).size < names.length) throw new Error(`${method.name}: a field has the name of a parameter`)
  return {
    method,
    namespace,
    name,
    typeName: `${namespace === 'tenderly' || namespace === 'alchemy' ? capitalized(namespace) : ''}${capitalized(name)}`,
    isOptional: params.every(({ isOptional }) => isOptional),
    fields,
    named: named.map((param) => param.name),
    spread,
  }
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** The fields of a parameter that is an object without a name of its own; `undefined` for others. */
function optionsOf({ isOptional, schema }: ActionField): Omit<ActionField, 'text'>[] | undefined {
  const given = isOptional ? withoutNull(schema) : schema
  if (!given.properties || given.title !== undefined) return undefined
  return Object.entries(given.properties).map(([name, field]) => ({
    name,
    isOptional: !given.required?.includes(name),
    schema: field,
  }))
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? (others[0] as Schema) : schema
}

/** What an action takes for parameters in their order. */
export function objectFrom({ named, spread }: Pick<Action, 'named' | 'spread'>, params: readonly unknown[]): unknown {
  if (params.length === 0) return undefined
  const entries = named.flatMap((name, index) => (index < params.length ? [[name, params[index]]] : []))
  return { ...Object.fromEntries(entries), ...(spread ? (params[named.length] as object | undefined) : {}) }
}
