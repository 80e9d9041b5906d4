import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

type Mode = ConstructorParameters<typeof Client>[1]

/** A client of the protocol's SDK, connected to the `/mcp` of a network. */
export async function connectMcp(url: string, { key, mode = 'auto' }: { key?: string; mode?: 'auto' | 'legacy' } = {}) {
  const options: Mode = { versionNegotiation: { mode } }
  const client = new Client({ name: 'test', version: '1' }, options)
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is what the tool makes of it, and each test says what it expects
export type Answer = Record<string, any>

/** The text that a tool answered. */
export async function textOf(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const [part] = content as { type: string; text: string }[]
  return { text: part?.text ?? '', isError: isError === true }
}

/** What a tool found. Fails if it answered with an error. */
export async function use(client: Client, name: string, args: object = {}): Promise<Answer> {
  const { text, isError } = await textOf(client, name, args)
  if (isError) throw new Error(`${name}: ${text}`)
  return JSON.parse(text)
}

/** The error that a tool answered with. */
export async function refusal(client: Client, name: string, args: object = {}): Promise<Answer> {
  const { text, isError } = await textOf(client, name, args)
  if (!isError) throw new Error(`${name} answered ${text}`)
  return JSON.parse(text)
}
