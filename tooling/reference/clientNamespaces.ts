import { errorTable } from '../../packages/node/src/shared/errors.ts'
import { type Action, actions, objectFrom } from './clientModel.ts'
import { comments, fullType, generated, importsOf, indented, meaningOf, sentence } from './clientTypes.ts'

/** packages/client/src/generated/namespaces.ts: what `client.dev`, `client.mock` and `client.tenderly` have. */
export function clientNamespaces(): string {
  const namespaces = [...new Set(actions.map(({ namespace }) => namespace))]
  const text = namespaces.map(namespaceText).join('\n\n')
  return `${generated}${importsOf(text)}\n${text}\n`
}

function namespaceText(namespace: string): string {
  const members = actions
    .filter((action) => action.namespace === namespace)
    .map((action) => indented(memberText(action)))
  const comment = comments([
    `The methods \`${namespace}_*\` of an Understudy network.`,
    '',
    "All of them throw viem's `RpcRequestError` when the network answers with an error: `errorKind(error)` is its kind. Each lists the kinds of its own. Beside them, every call may end with those that docs/errors.md lists for every method, such as `INVALID_PARAMS`, `UNAUTHORIZED` and `UPSTREAM_UNAVAILABLE`.",
  ])
  return `${comment}\nexport interface ${interfaceName(namespace)} {\n${members.join('\n\n')}\n}`
}

const interfaceName = (namespace: string) => `${namespace.charAt(0).toUpperCase()}${namespace.slice(1)}Actions`

function memberText(action: Action): string {
  const { method, name, typeName, fields, isOptional } = action
  const { summary, role, errors = [] } = method
  const parameters = fields.length === 0 ? '' : `parameters${isOptional ? '?' : ''}: ${typeName}Parameters`
  const comment = comments([
    summary,
    '',
    `Method: \`${method.name}\`. On a network with API keys, it needs the role \`${role}\`.`,
    '',
    ...fields.map((field) => `@param parameters.${field.name} - ${meaningOf(field)}`),
    ...errors.map((kind) => `@throws \`${kind}\`${errorText(errorTable[kind].message)}`),
    ...(fields.length > 0 ? ['@throws `INVALID_PARAMS`: A parameter is not valid. The message names it.'] : []),
    '@example',
    '```ts',
    exampleOf(action),
    '```',
  ])
  return `${comment}\n${name}: (${parameters}) => Promise<${typeName}ReturnType>`
}

/** The message of an error, unless all of it comes from the details. */
function errorText(message: string): string {
  return /^\{\w+\}$/.test(message) ? '' : `: ${sentence(message)}`
}

const longestResult = 300

/** A call of an action, and its result if that is short. */
export function exampleOf({ namespace, name, method, fields, ...action }: Action): string {
  const given = objectFrom(action, method.example.params)
  const numbers = fields.filter(({ schema }) => fullType(schema).includes('bigint')).map((field) => field.name)
  const argument = given === undefined ? '' : literal(given, numbers)
  const result = literal(method.example.result, [])
  const answer =
    result.length > longestResult
      ? []
      : result.split('\n').map((line, index) => `//${index === 0 ? ' →' : '  '} ${line}`)
  return [`await client.${namespace}.${name}(${argument})`, ...answer].join('\n')
}

const lineWidth = 90

/** A value in TypeScript, on one line if it is short. */
function literal(value: unknown, numbers: readonly string[]): string {
  if (Array.isArray(value))
    return lines(
      '[]',
      value.map((each) => literal(each, [])),
    )
  if (typeof value === 'object' && value !== null)
    return lines(
      '{}',
      Object.entries(value).map(([key, each]) => {
        const isNumber = numbers.includes(key) && typeof each === 'string' && /^\d+$/.test(each)
        return `${/^\w+$/.test(key) ? key : `'${key}'`}: ${isNumber ? `${grouped(each)}n` : literal(each, [])}`
      }),
    )
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
    : String(value)
}

const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, '_')

function lines([open = '', close = '']: string, parts: readonly string[]): string {
  if (parts.length === 0) return `${open}${close}`
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  return line.length <= lineWidth && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => indented(`${part},`)).join('\n')}\n${close}`
}
