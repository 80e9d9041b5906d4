import { z } from 'zod'
import { BranchIdOrName } from '../rpc/codecs/names.ts'
import type { Method } from '../rpc/defineMethod.ts'
import { firstProblem, formatPath } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import { type Found, type Position, pageOf, positionFrom } from './page.ts'
import type { NetworkOf, ToolNetwork } from './toolNetwork.ts'

type Definition<Fields extends z.ZodRawShape> = {
  name: string
  /** The methods that say what it does: its description begins with the first sentences of their summaries. */
  methods?: readonly Method[]
  /** What they do not say: what else it is for and answers, and when to use another tool. */
  description: string
  /** Arguments, of the example of a method. */
  example: Record<string, unknown>
  /** `reads`: it changes nothing. `deletes`: what it takes away does not come back. */
  effect: 'reads' | 'changes' | 'deletes'
  input: Fields
  /** Set if it lists more than may fit: it has the parameter `cursor`. */
  hasPages?: true
  run(network: ToolNetwork, input: z.output<z.ZodObject<Fields>>, position: Position): Promise<Found>
}

/** A tool: what an agent does in one step, of which the answer fits into its context. */
export type Tool = Pick<Definition<z.ZodRawShape>, 'name' | 'description' | 'effect' | 'example'> & {
  methods: readonly Method[]
  inputSchema: Record<string, unknown>
  /** The answer as JSON. Throws `INVALID_PARAMS`, and the errors of the methods that it calls. */
  call(networkOf: NetworkOf, input: unknown): Promise<string>
}

const Cursor = z.string().max(600).optional().describe('nextCursor of the answer before, with the same other arguments')

const Branch = BranchIdOrName.optional().describe('works in this branch, instead of the network')

/** The arguments of a tool that does what the example of a method does. */
export const exampleOf = (
  { example }: Method,
  // biome-ignore lint/suspicious/noExplicitAny: a test passes what this returns to the schema of the tool
  argumentsFrom: (params: any) => Record<string, unknown>,
): Record<string, unknown> => argumentsFrom(example.params)

const firstSentence = (text: string) => /^.*?[^.]\.(?=\s|$)/s.exec(text)?.[0] ?? text

export function defineTool<const Fields extends z.ZodRawShape>(definition: Definition<Fields>): Tool {
  const { name, methods = [], example, effect, input, hasPages, run } = definition
  const description = [...methods.map(({ summary }) => firstSentence(summary)), definition.description].join(' ')
  const schema = z.strictObject({ ...input, branch: Branch, ...(hasPages && { cursor: Cursor }) })
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' })
  return {
    name,
    methods,
    description,
    example,
    effect,
    inputSchema: { ...inputSchema, examples: [example] },
    async call(networkOf, given) {
      const parsed = schema.safeParse(given ?? {})
      if (!parsed.success) {
        const { path, text } = firstProblem(parsed.error, given ?? {})
        const field = formatPath(path).replace(/^\./, '').slice(0, 100) || 'arguments'
        throw new NetworkError('INVALID_PARAMS', { field, problem: text.slice(0, 300) })
      }
      const { cursor, branch, ...values } = parsed.data as { cursor?: string; branch?: string }
      const position = positionFrom(cursor)
      return pageOf(await run(await networkOf(branch), values as z.output<z.ZodObject<Fields>>, position), position)
    },
  }
}
