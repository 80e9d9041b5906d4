import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Action, actions } from '../../../tooling/reference/clientModel.ts'
import { exampleOf } from '../../../tooling/reference/clientNamespaces.ts'
import { type LanguageServer, startLanguageServer } from './languageServer.ts'

const start = `import { createUnderstudyClient, errorKind, type GetNetworkInfoReturnType } from '@understudy/client'
const client = createUnderstudyClient({ url: 'http://127.0.0.1:8545' })
`
/** A program that calls every action as its example does. Its types are those of packages/client/dist/. */
const program = `${start}${actions.map(exampleOf).join('\n')}
export const slot = await client.request({ method: 'dev_setStorageAt', params: ['0x', 1, '0x'] })
export const info: GetNetworkInfoReturnType = await client.dev.getNetworkInfo()
export const isKnown = errorKind(info) === ''
`
/** Where the program has the name of an action. */
const offsetOf = ({ namespace, name }: Pick<Action, 'namespace' | 'name'>) =>
  program.indexOf(`client.${namespace}.${name}(`) + `client.${namespace}.`.length

/** Without the ends of the lines, which are those of the comments. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')

describe('an editor', () => {
  let editor: LanguageServer
  beforeAll(async () => {
    editor = await startLanguageServer(program)
  })
  afterAll(() => editor?.stop())

  it('shows what setBalance does, its units, its errors and an example', async () => {
    expect(await editor.hover(offsetOf({ namespace: 'dev', name: 'setBalance' }))).toMatchInlineSnapshot(`
      "\`\`\`typescript
      (property) DevActions.setBalance: (parameters: SetBalanceParameters) => Promise<SetBalanceReturnType>
      \`\`\`
      Sets the balance of an account, in wei.

      Method: \`dev_setBalance\`. On a network with API keys, it needs the role \`admin\`.

      *@param* \`parameters.address\` - The account.

      *@param* \`parameters.amount\` - The new balance, in wei. An amount in decimal digits or 0x-hex, from 0 to
      2^256-1.

      *@throws* — \`ACCOUNT_FOLLOWED\`: Account {address} is followed: it is always read from the live chain, so
      the write would have no effect. Call dev_unfollowAccount first.

      *@throws* — \`INVALID_PARAMS\`: A parameter is not valid. The message names it.

      *@example*
      \`\`\`ts
      await client.dev.setBalance({
        address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        amount: 1_000_000_000_000_000_000n,
      })
      // → { address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', balance: '1000000000000000000' }
      \`\`\`
      "
    `)
  })

  it('shows what a method of the other namespace does', async () => {
    const text = unwrapped(await editor.hover(offsetOf({ namespace: 'mock', name: 'setWipeSchedule' })))
    expect(text).toContain('(parameters: SetWipeScheduleParameters) => Promise<SetWipeScheduleReturnType>')
    expect(text).toContain('Sets the schedule of wipes of local state')
    expect(text).toContain('`parameters.intervalMs` - Milliseconds between two wipes, at least 1000.')
    expect(text).toContain('*@throws* — `INVALID_PARAMS`')
    expect(text).toContain('await client.mock.setWipeSchedule({')
  })

  it.each(actions.map((action) => [`${action.namespace}.${action.name}`, action] as const))(
    'shows the summary, the parameters, the errors and the example of %s',
    async (_, action) => {
      const { method, namespace, name, fields } = action
      const text = unwrapped(await editor.hover(offsetOf(action)))
      expect(text).toContain(`Promise<${action.typeName}ReturnType>`)
      expect(text).toContain(unwrapped(method.summary))
      for (const field of fields) expect(text).toContain(`*@param* \`parameters.${field.name}\` - ${field.text}`)
      for (const kind of method.errors ?? []) expect(text).toContain(`*@throws* — \`${kind}\``)
      expect(text).toContain(`await client.${namespace}.${name}(`)
    },
  )

  it('lets parameters be left out only where the method does', async () => {
    const parametersOf = async (name: string) =>
      /\((parameters.*?):/.exec(await editor.hover(offsetOf({ namespace: 'dev', name })))?.[1]
    expect(await parametersOf('createBranch')).toBe('parameters?')
    expect(await parametersOf('setShadow')).toBe('parameters')
    expect(await parametersOf('getBranches')).toBeUndefined()
  })

  it('shows what a raw request returns', async () => {
    expect(await editor.hover(program.indexOf('request('))).toContain('=> Promise<SetStorageAtReturnType>')
  })

  it('names the types of results', async () => {
    expect(await editor.hover(program.indexOf('GetNetworkInfoReturnType'))).toContain('type GetNetworkInfoReturnType')
    expect(await editor.hover(program.indexOf('info:'))).toContain('const info: GetNetworkInfoReturnType')
  })

  it('offers the kinds of errors', async () => {
    expect(await editor.completions(program.lastIndexOf("'"))).toEqual(
      expect.arrayContaining(['ACCOUNT_FOLLOWED', 'OVERRIDE_NOT_FOUND']),
    )
  })

  it('finds nothing wrong with the examples', async () => {
    expect(await editor.problems()).toEqual([])
  })
})

it('an editor refuses what is no parameter of a method', async () => {
  const editor = await startLanguageServer(`${start}await client.dev.setBalance({ address: '0x', wei: 5n })`)
  try {
    const [problem] = await editor.problems()
    expect(problem).toContain("'wei' does not exist in type 'SetBalanceParameters'")
  } finally {
    await editor.stop()
  }
})

it('an editor offers the methods of raw requests', async () => {
  const request = "await client.request({ method: '"
  const editor = await startLanguageServer(`${start}${request}' })`)
  try {
    expect(await editor.completions(start.length + request.length)).toEqual(
      expect.arrayContaining(['dev_getBranches', 'mock_wipeLocalState', 'eth_chainId', 'txpool_status']),
    )
  } finally {
    await editor.stop()
  }
})
