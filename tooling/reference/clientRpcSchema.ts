import { type Action, actions } from './clientModel.ts'
import { comments, generated, indented } from './clientTypes.ts'

/** packages/client/src/generated/rpcSchema.ts: the methods as viem's `rpcSchema` has them. */
export function clientRpcSchema(): string {
  return `${generated}import type { Methods } from './methods.ts'

/** What JSON can carry of a type: amounts are numbers or text, not bigints. */
type Json<type> = type extends bigint ? never : type extends object ? { [key in keyof type]: Json<type[key]> } : type

/**
 * The methods \`dev_*\`, \`mock_*\`, \`tenderly_*\` and \`alchemy_*\` of an Understudy network as raw requests, for \`rpcSchema\` of viem: parameters in their
 * order, as JSON. A method that needs no parameters has a second entry without them.
 */
export type UnderstudyRpcSchema = [
${actions.flatMap(entries).map(indented).join('\n')}
]
`
}

function entries({ method, isOptional }: Action): string[] {
  const entry = (parameters: string) => `${comments([method.summary])}
{
  Method: '${method.name}'
  ${parameters}
  ReturnType: Methods['${method.name}']['result']
},`
  const withParams = entry(`Parameters: Json<Methods['${method.name}']['params']>`)
  return isOptional ? [entry('Parameters?: undefined'), withParams] : [withParams]
}
