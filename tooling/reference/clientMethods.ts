import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { describeParams } from '../../packages/node/src/rpc/openRpc.ts'
import type { Topic } from '../../packages/node/src/rpc/topics/defineTopic.ts'
import { topics } from '../../packages/node/src/rpc/topics/index.ts'
import { type Action, actions } from './clientModel.ts'
import { comments, fullType, generated, importsOf, indented } from './clientTypes.ts'
import { schemaOf } from './typeText.ts'

/** packages/client/src/generated/methods.ts: the table of methods and topics, as they are on the wire. */
export function clientMethods(): string {
  const text = `/** The extension methods: their parameters, in their order, and their results. */
export type Methods = {
${actions.map(entry).join('\n')}
}

export type ExtensionMethod = keyof Methods

/** The names of the parameters of each method, in their order; \`...\` is an object whose fields stand beside the others. */
export const parameterNames: Readonly<Record<ExtensionMethod, string>> = {
${actions.map(({ method, named, spread }) => `  ${method.name}: '${[...named, ...(spread ? ['...'] : [])].join(' ')}',`).join('\n')}
}

export const extensionMethods = Object.keys(parameterNames) as readonly ExtensionMethod[]

/** Slow methods. Clients send them outside of batches, so that other requests do not wait. */
export const slowMethods: ReadonlySet<string> = new Set([
${methods
  .filter(({ isSlow }) => isSlow)
  .map(({ name }) => `  '${name}',`)
  .join('\n')}
])

/** The subscription topics of Understudy: their options and notifications. */
export type Topics = {
${topics
  .filter(({ name }) => name.startsWith('dev_'))
  .map(topicEntry)
  .join('\n')}
}
`
  return `${generated}${importsOf(text)}\n${text}`
}

function topicEntry({ name, summary, options, result }: Topic): string {
  const sameAs = actions.find(({ method }) => method.result === result)
  return indented(`${comments([summary])}
${name}: {
  options: ${indented(fullType(schemaOf(options, 'input'))).trimStart()}
  result: ${sameAs ? `${sameAs.typeName}ReturnType` : indented(fullType(schemaOf(result, 'output'))).trimStart()}
}`)
}

/** The object of the fields that stand beside the parameters of these names. */
const fieldsBeside = (parameters: string, named: readonly string[]) =>
  named.length === 0 ? parameters : `Omit<${parameters}, ${named.map((name) => `'${name}'`).join(' | ')}>`

function entry({ method, typeName, named, spread }: Action): string {
  const described = describeParams(method)
  const parameters = `${typeName}Parameters`
  const params = described.map(({ name, isOptional }) => {
    const type = !spread || named.includes(name) ? `${parameters}['${name}']` : fieldsBeside(parameters, named)
    return `${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | null' : ''}`
  })
  return indented(`${comments([method.summary])}
${method.name}: {
  params: [${params.join(', ')}]
  result: ${typeName}ReturnType
}`)
}
