import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { addNetworkOptions, type Given, networkOf } from './command.ts'
import { noNetworkAt, RemoteError, strangeAnswer } from './network.ts'

/** A message of the Model Context Protocol. */
type Message = {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
  error?: unknown
}

const revisionKey = 'io.modelcontextprotocol/protocolVersion'
/** The longest line, in characters. */
const lineLimit = 16 * 1024 * 1024
/** How many messages are passed on at a time. */
const concurrency = 16

/** Adds `understudy mcp`. */
export function addMcpCommand(program: Command, print: (text: string) => void): Command {
  const command = program
    .command('mcp')
    .summary('give agents the tools of a running network, over stdio')
    .description(
      'Speaks the Model Context Protocol over standard input and output, for agents that start a command, and passes on to the /mcp of a running network.',
    )
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
  addNetworkOptions(command)
  command.action(() => passOn(process.stdin, { ...networkOf(command.opts<Given>()), print }))
  return command
}

type Target = { url: string; apiKey: string | undefined; print: (text: string) => void }

/** Posts each line of the input to the network, and prints what it answers, until the input ends. */
async function passOn(input: Readable, { url, apiKey, print }: Target): Promise<void> {
  const waiting = new Map<unknown, AbortController>()
  const running = new Set<Promise<void>>()

  async function answer(message: Message): Promise<void> {
    const gone = new AbortController()
    if (message.id !== undefined) waiting.set(message.id, gone)
    try {
      for (const text of await post(message, { url, apiKey, signal: gone.signal })) print(`${text}\n`)
    } catch (error) {
      if (gone.signal.aborted || message.id === undefined) return
      if (!(error instanceof RemoteError)) throw error
      print(`${errorText(message.id, error.message)}\n`)
    } finally {
      waiting.delete(message.id)
    }
  }

  for await (const line of linesOf(input)) {
    const message = messageFrom(line)
    if (!message) print(`${errorText(null, 'parse error: a line is not a JSON object', -32700)}\n`)
    else if (message.method === 'notifications/cancelled') waiting.get(message.params?.requestId)?.abort()
    else {
      const task = answer(message).finally(() => running.delete(task))
      running.add(task)
      if (running.size >= concurrency) await Promise.race(running)
    }
  }
  await Promise.all(running)
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineLimit) throw new RemoteError(`a message has more than ${lineLimit} characters`)
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}

function messageFrom(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** The answers to a message as lines; none to a notification. Throws `RemoteError` without an answer. */
async function post(
  message: Message,
  { url, apiKey, signal }: { url: string; apiKey: string | undefined; signal: AbortSignal },
): Promise<string[]> {
  if (!URL.canParse(url)) throw noNetworkAt(url)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...protocolHeaders(message),
  }
  const response = await fetch(mcpUrl(url), { method: 'POST', headers, body: JSON.stringify(message), signal }).catch(
    () => {
      throw noNetworkAt(url)
    },
  )
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
  if (text === '') return []
  const answered = messageFrom(text)
  if (!answered) throw strangeAnswer(url)
  // A message that was refused before it was read is answered without its id.
  return [JSON.stringify(answered.error && message.id !== undefined ? { ...answered, id: message.id } : answered)]
}

/** Headers that repeat parts of the message, since revision 2026-07-28. */
function protocolHeaders({ method, params }: Message): Record<string, string> {
  const revision = params?._meta?.[revisionKey]
  if (typeof revision !== 'string') return {}
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': headerText(revision),
    'mcp-method': headerText(String(method)),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** Texts that a header cannot have are sent in base64, as the protocol says. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function mcpUrl(url: string): string {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/mcp`
  return address.href
}

function errorText(id: Message['id'], message: string, code = -32000): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
