import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { internalError, type RpcError } from '../answers.ts'
import { type Connection, type Ending, type Journal, timeoutMs, Unanswered } from './journal.ts'

/** Sends requests of one user, and notes how they end. */
export type Caller = {
  /** Returns the result. Throws `Unanswered`. */
  ask(method: string, ...params: unknown[]): Promise<unknown>
  /** Whether its connection was closed. */
  isClosed(): boolean
  leave(): void
}

type Answer = { id?: unknown; result?: unknown; error?: RpcError | 'Service Unavailable' }

/** Returns the result. Throws `Unanswered` with the name of an error. */
function resultOf({ result, error }: Answer): unknown {
  if (!error) return result
  // A process that stops answers HTTP so, whatever was asked.
  if (typeof error === 'string') throw new Unanswered(`refused ${error}`)
  const { kind } = (error.data ?? {}) as { kind?: string }
  const name = error.code === internalError ? 'INTERNAL' : (kind ?? `${error.code} ${error.message}`)
  throw new Unanswered(`refused ${name}`)
}

/** Throws `Unanswered` when the time of the user has passed. */
const inTime = <T>(answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unanswered('not answered')), timeoutMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

const post = async (url: string, body: unknown) =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Answer>

export function callByHttp(journal: Journal, user: string, url: string): Caller {
  return {
    ask: (method, ...params) =>
      journal.note(user, method, async () =>
        resultOf(await inTime(post(url, { jsonrpc: '2.0', id: 1, method, params }))),
      ),
    isClosed: () => false,
    leave: () => {},
  }
}

/** Calls tools of `/mcp` by their names. */
export function callByMcp(journal: Journal, user: string, url: string): Caller {
  return {
    ask: (name, ...[args]) =>
      journal.note(user, name, async () => {
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
        const params = { name, arguments: args ?? {} }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const answer = await inTime(
          fetch(`${url}/mcp`, { method: 'POST', headers, body }).then((response) => response.text()),
        )
        const json = /^\{/.test(answer) ? answer : (/^data: (.*)$/m.exec(answer)?.[1] ?? '{}')
        const { isError, content } = resultOf(JSON.parse(json)) as { isError?: boolean; content: { text: string }[] }
        if (isError) throw new Unanswered(`refused ${JSON.parse(content[0]?.text ?? '{}').kind}`)
        return content
      }),
    isClosed: () => false,
    leave: () => {},
  }
}

/** What is used of a WebSocket and of a local socket. */
type Line = { send(text: string): void; end(): void }
type Events = { message(text: string): void; closed(code: number): void }

export async function callByWebSocket(journal: Journal, user: string, url: string): Promise<Caller> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  return converse(journal, user, (events) => {
    socket.on('message', (data) => events.message(String(data)))
    socket.on('close', (code) => events.closed(code))
    socket.on('error', () => {})
    const line = { send: (text: string) => socket.send(text), end: () => socket.close() }
    return new Promise<Line>((resolve, reject) => {
      socket.once('open', () => resolve(line))
      socket.once('close', () => reject(new Error(`${url} was not opened`)))
    })
  })
}

/** By the local socket at a path. It has no codes: one that is closed is as a WebSocket that is closed with 1001. */
export async function callByIpc(journal: Journal, user: string, path: string): Promise<Caller> {
  const socket = connect(path)
  return converse(journal, user, (events) => {
    let rest = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) events.message(line)
    })
    socket.on('close', () => events.closed(1001))
    socket.on('error', () => {})
    const line = { send: (text: string) => void socket.write(text), end: () => void socket.end() }
    return new Promise<Line>((resolve, reject) => {
      socket.once('connect', () => resolve(line))
      socket.once('close', () => reject(new Error(`${path} was not opened`)))
    })
  })
}

async function converse(journal: Journal, user: string, open: (events: Events) => Promise<Line>): Promise<Caller> {
  const waiting = new Map<unknown, { answer(answer: Answer): void; fail(ending: Ending): void }>()
  const connection: Connection = {
    ...{ user, askedAt: performance.now(), closedAt: undefined, code: undefined, isLeft: false },
  }
  let ids = 0
  const ending = (): Ending => (connection.code === undefined ? 'cut off' : `closed ${connection.code}`)
  const line = await open({
    message(text) {
      const answer = JSON.parse(text) as Answer
      waiting.get(answer.id)?.answer(answer)
    },
    closed(code) {
      Object.assign(connection, { closedAt: performance.now(), code })
      for (const { fail } of waiting.values()) fail(ending())
    },
  })
  journal.connections.push(connection)
  return {
    ask: (method, ...params) =>
      journal.note(user, method, async () => {
        if (connection.closedAt !== undefined) throw new Unanswered(ending())
        const id = ++ids
        const answered = new Promise<Answer>((answer, reject) =>
          waiting.set(id, { answer, fail: (how) => reject(new Unanswered(how)) }),
        )
        line.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
        return resultOf(await inTime(answered).finally(() => waiting.delete(id)))
      }),
    isClosed: () => connection.closedAt !== undefined,
    leave() {
      if (connection.closedAt !== undefined) return
      connection.isLeft = true
      line.end()
    },
  }
}
