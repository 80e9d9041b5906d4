import type { Method } from '../../packages/node/src/rpc/defineMethod.ts'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { describeParams, meaningOf } from '../../packages/node/src/rpc/openRpc.ts'
import type { Topic } from '../../packages/node/src/rpc/topics/defineTopic.ts'
import { topics } from '../../packages/node/src/rpc/topics/index.ts'
import { actions } from '../reference/clientModel.ts'
import { exampleOf } from '../reference/clientNamespaces.ts'
import { codeCell, escapeCell, page, table, toJson } from '../reference/markdown.ts'
import { namedTypes } from '../reference/pages.ts'
import { byTitle, partsOf, type Schema, schemaOf, typeText, withoutNull } from '../reference/typeText.ts'
import { errorsOf } from './methodErrors.ts'

/** The reference of methods as a page for each, in Markdown. */

const url = 'http://127.0.0.1:8545'

/** What is in a namespace, for the page that lists the methods. */
const namespaces: Record<string, string> = {
  dev: 'Everything that a live chain does not have: state, overrides, tracked values, branches, workspaces',
  mock: 'Local state as a whole',
  eth: "Ethereum's JSON-RPC",
  debug: 'Traces and raw data, as in geth',
  trace: 'Traces, as in OpenEthereum',
  anvil: "Methods of anvil that have no other name here; aliases of others are on those methods' pages",
  evm: 'Time, mining and snapshots, as in Hardhat and Ganache',
  hardhat: "Methods of Hardhat's node that have no other name here",
  tenderly: "Methods of Tenderly's virtual testnets that have no other name here",
  alchemy: "Simulations in the form of Alchemy's API",
  wallet: 'A wallet for pages (EIP-5792 and others)',
  txpool: 'The transactions that wait',
  pimlico: 'Gas prices for user operations',
  pm: "The network's paymaster (ERC-7677)",
  ots: 'For the explorer Otterscan',
  net: 'The network, as in geth',
  web3: 'The client, as in geth',
  rpc: 'The description of the methods',
}

export const namespaceOf = ({ name }: { name: string }) => name.slice(0, name.indexOf('_')) || 'rpc'

/** The page that lists all methods. */
export function methodsIndex(): string {
  const inOrder = [...new Set([...Object.keys(namespaces), ...methods.map(namespaceOf)])]
  const sections = inOrder.flatMap((namespace) => {
    const own = methods.filter((method) => namespaceOf(method) === namespace)
    if (own.length === 0) return []
    const rows = own.map(({ name, role, summary }) => [
      `[${name}](methods/${name})`,
      role,
      escapeCell(firstSentence(summary)),
    ])
    return [
      `## ${namespace}`,
      ...(namespaces[namespace] ? [`${namespaces[namespace]}.`] : []),
      table(['method', 'role', 'what it does'], rows),
    ]
  })
  return page([
    '# Methods',
    `The network answers JSON-RPC 2.0 at \`POST /\`, and over a WebSocket at the same address. Each of its ${methods.length} methods has a page with its request, response and errors, and with the request in curl, viem, ethers and cast.`,
    'Parameters are an array, or an object with the names of the parameters. Trailing optional ones may be left out, and any optional one may be `null`. Numbers are 0x-hex, decimal digits or JSON numbers; numbers of blocks are 0x-hex or JSON numbers. An empty string stands for no bytes. A field that no method knows is refused by its name, except fields that clients send to every node, such as the `type` of a call.',
    'With API keys, each key has a role. A key of the role `read` may call methods that read, `write` also those that send and sign, and `admin` also those that change the network. The [subscriptions](methods/eth_subscribe#subscriptions) of `eth_subscribe` are on its page. `rpc.discover` returns all methods as an OpenRPC document.',
    ...sections,
  ])
}

const names = new Set(methods.map(({ name }) => name))

/** Text with links to the methods that it names. */
const withLinks = (text: string, here: string) =>
  escapeCell(text).replaceAll(/\b[a-z]+_[A-Za-z0-9]+\b/g, (word) =>
    word !== here && names.has(word) ? `[${word}](${word})` : word,
  )

const firstSentence = (text: string) => /^.*?[.!](?= [A-Z]|$)/s.exec(text)?.[0] ?? text

/** Pages of methods by their name. */
export function methodPages(): Map<string, string> {
  const types = namedTypes()
  return new Map(methods.map((method) => [method.name, page(methodPage(method, types))]))
}

type NamedTypes = ReturnType<typeof namedTypes>

function methodPage(method: Method, types: NamedTypes): string[] {
  const { name, aliases, aliasResults = {}, role, summary, result, example } = method
  const resultSchema = schemaOf(result, 'output')
  const paramSchemas = new Map(
    Object.entries(method.params).map(([param, schema]) => [param, schemaOf(schema, 'input')]),
  )
  const called = aliases.map((alias) =>
    Object.hasOwn(aliasResults, alias) ? `\`${alias}\` (returns \`${aliasResults[alias]}\`)` : `\`${alias}\``,
  )
  const schemas = [...paramSchemas.values(), resultSchema]
  return [
    `# ${name}`,
    withLinks(summary, name),
    `Role: \`${role}\`.${called.length > 0 ? ` Also called ${called.join(', ')}.` : ''}`,
    '## Request',
    paramsTable(method, paramSchemas),
    ...examplesOf(method),
    '## Response',
    `Type: \`${typeText(resultSchema, byTitle)}\``,
    fenced('json', pretty(example.result)),
    ...(name === 'eth_subscribe' ? subscriptions() : []),
    '## Errors',
    ...errorsTable(method),
    'An error is `{ code, message, data }`; match on `code` and `data.kind`. Any call may also fail with the errors that concern every request, such as limits and stopping: see [Errors](../errors).',
    ...typesSection(schemas, types),
  ]
}

function paramsTable(method: Method, schemas: ReadonlyMap<string, Schema>): string {
  const described = describeParams(method)
  if (described.length === 0) return 'The method takes no parameters.'
  const rows = described.flatMap(({ name, isOptional, fallback, description = '' }) => {
    const schema = schemas.get(name) ?? {}
    const whenLeftOut = fallback === undefined ? 'optional' : `optional; \`${toJson(fallback)}\` when left out`
    const fields = fieldsOf(schema)
    const type = fields.length > 0 ? 'object' : typeCell(schema, isOptional)
    return [
      [`\`${name}\``, type, isOptional ? whenLeftOut : 'required', escapeCell(description)],
      ...fields.map((field) => fieldRow(method, name, field)),
    ]
  })
  return table(['parameter', 'type', '', 'meaning'], rows)
}

type Field = { name: string; schema: Schema; isRequired: boolean }

/** The fields of an object that has no name of its own: a parameter that may be `null` is such an object, too. */
function fieldsOf({ title, properties, required = [], anyOf }: Schema): Field[] {
  if (title !== undefined) return []
  const object = anyOf?.find((part) => part.properties && part.title === undefined)
  if (anyOf) return object && anyOf.length === 2 && anyOf.some(({ type }) => type === 'null') ? fieldsOf(object) : []
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }))
}

function typeCell(schema: Schema, isOptional: boolean): string {
  const type = typeText(schema, byTitle)
  return codeCell(isOptional ? withoutNull(type) : type)
}

const fieldRow = (method: Method, param: string, { name, schema, isRequired }: Field) => [
  `\`${param}.${name}\``,
  typeCell(schema, !isRequired),
  isRequired ? 'required' : 'optional',
  escapeCell(meaningOf(method, name) ?? ''),
]

function errorsTable(method: Method): string[] {
  const rows = errorsOf(method).map(({ kind, code: number, message }) => [
    `[\`${kind}\`](../errors#${kind.toLowerCase()})`,
    String(number),
    escapeCell(message),
  ])
  return rows.length === 0 ? [] : [table(['kind', 'code', 'message'], rows)]
}

/** One request as each client sends it. */
export function examplesOf(method: Method): string[] {
  const { name, example } = method
  const { params } = example
  const text = toJson(params)
  const literal = pretty(JSON.parse(text))
  const body = `{ "jsonrpc": "2.0", "id": 1, "method": "${name}", "params": ${literal} }`
  const request =
    params.length === 0 ? `{ method: '${name}' }` : `{\n  method: '${name}',\n  params: ${indent(literal)},\n}`
  const send = params.length === 0 ? `'${name}', []` : `'${name}', ${literal}`
  return [
    fenced('sh tab=curl', `curl -s ${url} -H 'content-type: application/json' \\\n  -d '${quoted(body)}'`),
    fenced('ts tab=viem', viemExample(method, request)),
    fenced(
      'ts tab=ethers',
      `import { JsonRpcProvider } from 'ethers'\n\nconst provider = new JsonRpcProvider('${url}')\nconst result = await provider.send(${send})`,
    ),
    fenced(
      'sh tab=cast',
      params.length === 0
        ? `cast rpc --rpc-url ${url} ${name}`
        : `cast rpc --rpc-url ${url} ${name} --raw \\\n  '${quoted(text)}'`,
    ),
  ]
}

/** Methods of our own are actions of a client that extends viem's. */
function viemExample(method: Method, request: string): string {
  const action = actions.find((each) => each.method === method)
  if (action === undefined)
    return `import { createClient, http } from 'viem'\n\nconst client = createClient({ transport: http('${url}') })\nconst result = await client.request(${request})`
  const call = exampleOf(action)
    .replaceAll(/^\/\/.*\n?/gm, '')
    .trimEnd()
  return `import { createUnderstudyClient } from '@understudy/client'\n\nconst client = createUnderstudyClient({ url: '${url}' })\nconst result = ${call}`
}

const quoted = (text: string) => text.replaceAll("'", `'\\''`)
const indent = (text: string) => text.replaceAll('\n', '\n  ')
const fenced = (language: string, text: string) => [`\`\`\`${language}`, text, '```'].join('\n')

function subscriptions(): string[] {
  return [
    '## Subscriptions',
    '`eth_subscribe` takes these names, over a WebSocket. Each notification is `{ jsonrpc, method: "eth_subscription", params: { subscription, result } }`.',
    ...topics.flatMap(({ name, summary, options, result, example }: Topic) => {
      const type = withoutNull(typeText(schemaOf(options, 'input'), byTitle))
      return [
        `### ${name}`,
        escapeCell(summary),
        `Options: ${type === 'Record<string, never>' ? 'none' : `\`${type}\``}. Result: \`${typeText(schemaOf(result, 'output'), byTitle)}\`.`,
        fenced('json', pretty(example.result)),
      ]
    }),
  ]
}

/** The types with a name that a page uses, and those that they use. */
function typesSection(schemas: readonly Schema[], types: NamedTypes): string[] {
  const used = new Set<string>()
  const visit = (schema: Schema) => {
    if (schema.title !== undefined) used.add(schema.title)
    for (const part of partsOf(schema)) visit(part)
  }
  for (const schema of schemas) visit(schema)
  if (used.size === 0) return []
  const rows = [...used].sort().map((name) => {
    const { description, structure } = types.get(name) ?? { description: undefined, structure: 'unknown' }
    return [`\`${name}\``, description === undefined ? codeCell(structure) : escapeCell(description)]
  })
  return ['## Types', table(['type', 'what it is'], rows)]
}

const pretty = (value: unknown) => toJson(value, 2)
