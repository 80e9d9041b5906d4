import { resolve } from 'node:path'
import type { DebugProtocol } from '@vscode/debugprotocol'
import { firstProblem, formatPath } from '../../shared/codec.ts'
import type { RemoteNetwork } from '../remote/network.ts'
import { Breakpoints, calls, failures } from './breakpoints.ts'
import { DebugRun, SessionLost, type Subject } from './debugRun.ts'
import { messageText, readMessages } from './messages.ts'
import { type LaunchArguments, type RequestArguments, request, requestArguments } from './requests.ts'
import {
  type AdapterEvent,
  type Answer,
  createRunHandlers,
  type Handlers,
  type RunRequest,
  terminated,
} from './runRequests.ts'
import { SourceFiles } from './sourceFiles.ts'

const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsDataBreakpoints: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsDisassembleRequest: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [
    { filter: failures, label: 'Failed calls', description: 'Stops where a call reverts or fails', default: true },
    { filter: calls, label: 'Calls of contracts', description: 'Stops before each call and creation' },
  ],
}

type Needs = {
  input: AsyncIterable<Uint8Array>
  write(text: string): void
  /** Reports what no response can tell. */
  log(text: string): void
  /** Where the network is, unless the editor says it. */
  connect(given: Pick<LaunchArguments, 'rpcUrl' | 'apiKey'>): RemoteNetwork
  /** The transaction, unless the editor names one. */
  transaction: string | undefined
}

/**
 * Speaks the Debug Adapter Protocol until the editor disconnects or the input ends. Requests are answered one after the
 * other. Throws on input that is no message.
 */
export async function serveDebugAdapter({ input, write, log, connect, transaction }: Needs): Promise<void> {
  let first = { line: 1, column: 1 }
  let run: DebugRun | undefined
  let ofRun: Handlers<RunRequest> | undefined
  let sent = 0
  const send = (message: object) => write(messageText({ seq: ++sent, ...message }))

  async function open(given: LaunchArguments): Promise<Answer> {
    if (run) throw new Error('a transaction is open already')
    const { call, block, cwd = '.', stopOnEntry } = given
    const hash = given.transaction ?? transaction
    const subject = (call ?? hash) as Subject | undefined
    if (subject === undefined)
      throw new Error('which transaction? Set "transaction" in the launch configuration, or run `understudy debug TX`')
    const { rpcUrl, apiKey } = given
    const network = connect({ ...(rpcUrl && { rpcUrl }), ...(apiKey && { apiKey }) })
    const opened = new DebugRun(network, subject, block)
    await opened.open()
    run = opened
    const files = await run.lines()
    const sources = new SourceFiles(
      network,
      resolve(cwd),
      files.map(({ file }) => file),
    )
    const breakpoints = new Breakpoints(files)
    const name = call ? 'Call' : `Transaction ${hash}`
    ofRun = createRunHandlers({ run, name, sources, breakpoints, stopOnEntry, first })
    const logs = await network.call('dev_getConsoleLogs', block === undefined ? [subject] : [subject, block])
    return {
      events: [
        ...logs.map(({ text }) => output('stdout', text)),
        ...(files.length > 0 ? [] : [output('important', withoutLines)]),
        { event: 'initialized' },
      ],
    }
  }

  const handlers: Handlers<Exclude<keyof RequestArguments, RunRequest>> = {
    initialize({ linesStartAt1, columnsStartAt1 }) {
      first = { line: linesStartAt1 ? 1 : 0, column: columnsStartAt1 ? 1 : 0 }
      return { body: capabilities }
    },
    launch: open,
    attach: open,
    // Requests wait for each other: nothing runs.
    pause: () => ({}),
    terminate: () => ({ events: [terminated] }),
    disconnect: () => ({}),
  }

  async function answer(command: string, given: unknown): Promise<Answer> {
    if (!Object.hasOwn(requestArguments, command)) throw new Error(`the request ${command} is not supported`)
    const name = command as keyof RequestArguments
    const { success, data, error } = requestArguments[name].safeParse(given ?? {})
    if (!success) {
      const { path, text } = firstProblem(error, given)
      throw new Error(`${command}: ${formatPath(path).replace(/^\./, '')}: ${text}`)
    }
    const all: Partial<Handlers<keyof RequestArguments>> = { ...ofRun, ...handlers }
    const handle = all[name] as ((data: unknown) => Promise<Answer> | Answer) | undefined
    if (!handle) throw new Error('no transaction is open: the editor has to send launch or attach first')
    return handle(data)
  }

  async function respond(message: unknown): Promise<string | undefined> {
    const { success, data } = request.safeParse(message)
    if (!success) {
      log('A message that is not a request was ignored\n')
      return undefined
    }
    const { seq, command, arguments: given } = data
    const about = { type: 'response', request_seq: seq, command }
    try {
      const { body, events = [] } = await answer(command, given)
      send({ ...about, success: true, body })
      for (const event of events) send({ type: 'event', ...event })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      // The text may have braces, which name variables.
      const shown = {
        id: 1,
        format: '{text}',
        variables: { text },
        showUser: command === 'launch' || command === 'attach',
      }
      send({ ...about, success: false, message: text, body: { error: shown } })
      if (error instanceof SessionLost) send({ type: 'event', ...terminated })
    }
    return command
  }

  try {
    for await (const message of readMessages(input)) if ((await respond(message)) === 'disconnect') return
  } finally {
    // It ends by itself where this does not arrive.
    await run?.close().catch(() => undefined)
  }
}

const output = (category: string, text: string): AdapterEvent => ({
  event: 'output',
  body: { category, output: `${text}\n` },
})

const withoutLines =
  'No contract that runs is known with its lines, so there are only operations. Push the project with `understudy push`, or verify the contracts.'
