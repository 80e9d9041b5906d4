import { expect, it } from 'vitest'
import { MethodError } from '../../rpc/dispatch/methodCalls.ts'
import { methods } from '../../rpc/methods/index.ts'
import { tools } from './index.ts'

/** Refuses the first method that a tool calls, and says which it is. */
async function firstCallOf({ call, example }: (typeof tools)[number]): Promise<string> {
  const refused = (method: string): never => {
    throw new MethodError({ method, kind: undefined, message: 'refused' })
  }
  const network = { call: async (method: string) => refused(method), link: (path: string) => path }
  const error: unknown = await call(async () => network, example).then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof MethodError)) throw error
  return error.method
}

it('tools take the arguments of their examples', async () => {
  for (const tool of tools) {
    expect(tool.inputSchema.examples).toEqual([tool.example])
    expect(
      methods.map(({ name }) => name),
      tool.name,
    ).toContain(await firstCallOf(tool))
  }
})

it('say what their methods say, and tell what differs', () => {
  for (const { methods: used, description } of tools) {
    let rest = description
    for (const { name, summary } of used) {
      expect(methods.some((method) => method.name === name)).toBe(true)
      const [sentence = ''] = rest.split(/(?<=\.)\s+(?=[A-Z])/)
      expect(summary.startsWith(sentence)).toBe(true)
      rest = rest.slice(sentence.length).trimStart()
    }
    expect(rest.length).toBeGreaterThan(20)
  }
  // The others take other units, list in another order, or use a part of what several methods do.
  const own = tools.filter(({ methods: used }) => used.length === 0).map(({ name }) => name)
  expect(own).toEqual(['simulate', 'set_balance', 'tracked_values'])
})

it('say of each argument what it is', () => {
  const silent = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties as Record<string, { description?: string }>)
      .filter(([, { description }]) => !description)
      .map(([argument]) => `${name}.${argument}`),
  )
  expect(silent).toEqual([])
})
