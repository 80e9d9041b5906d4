import type { DebugProtocol } from '@vscode/debugprotocol'
import { type Breakpoints, slotId } from './breakpoints.ts'
import type { DebugEntry, DebugMove, DebugRun } from './debugRun.ts'
import type { RequestArguments } from './requests.ts'
import type { SourceFiles } from './sourceFiles.ts'
import { evaluate, References, type Shown, scopesOf } from './variables.ts'

export type AdapterEvent = { event: string; body?: object }

/** The body of a response, and what is sent after it. */
export type Answer = { body?: object; events?: AdapterEvent[] }

export type Handlers<Name extends keyof RequestArguments> = {
  [Each in Name]: (given: RequestArguments[Each]) => Promise<Answer> | Answer
}

export type RunRequest = Exclude<
  keyof RequestArguments,
  'initialize' | 'launch' | 'attach' | 'pause' | 'terminate' | 'disconnect'
>

export const terminated: AdapterEvent = { event: 'terminated' }

const threadId = 1

type Opened = {
  run: DebugRun
  /** What the editor calls it. */
  name: string
  sources: SourceFiles
  breakpoints: Breakpoints
  stopOnEntry: boolean
  /** The number of the first line and of the first column for the editor: 0 or 1. */
  first: { line: number; column: number }
}

/** Frames are numbered from 1, the innermost one. */
const levelOf = (frameId = 1) => frameId - 1

/** Answers the requests about an open run. */
export function createRunHandlers(opened: Opened): Handlers<RunRequest> {
  const references = new References()
  return {
    ...moveHandlers(opened, references),
    ...breakpointHandlers(opened, references),
    ...stackHandlers(opened),
    ...variableHandlers(opened, references),
    ...codeHandlers(opened),
  }
}

type MoveRequest =
  | 'configurationDone'
  | 'next'
  | 'stepIn'
  | 'stepOut'
  | 'stepBack'
  | 'continue'
  | 'reverseContinue'
  | 'restart'

/** What moves the run. Each move ends the references to variables of the position before. */
function moveHandlers({ run, breakpoints, stopOnEntry }: Opened, references: References): Handlers<MoveRequest> {
  const entry = run.position.step

  function stopped(reason: string, about: Partial<DebugProtocol.StoppedEvent['body']> = {}): Answer {
    references.clear()
    return { events: [{ event: 'stopped', body: { reason, threadId, allThreadsStopped: true, ...about } }] }
  }

  async function go(to: DebugMove, isBack: boolean): Promise<Answer> {
    if (!isBack && run.isAtEnd) return { events: [terminated] }
    const { reason, message, opcode, stack } = await run.move(to, isBack)
    const [top] = stack
    switch (reason) {
      case 'line':
        return stopped('breakpoint', { hitBreakpointIds: top && breakpoints.linesAt(top) })
      case 'write':
        return stopped('data breakpoint', { description: 'Before a write to storage' })
      case 'call':
        return stopped('breakpoint', { description: 'Before a call of a contract' })
      case 'revert':
        return stopped('exception', { description: 'A call fails', text: message ?? opcode })
      case 'end':
        return stopped('end', { description: message === null ? 'End: it succeeded' : `End: ${message}` })
      case 'start':
        return stopped('entry', { description: 'Start' })
      case 'step':
        return stopped('step')
    }
  }

  const step = (to: DebugMove, isBack: boolean) => (given: RequestArguments['next']) =>
    go(given.granularity === 'instruction' ? 'opcode' : to, isBack)

  return {
    configurationDone: () => (stopOnEntry ? stopped('entry') : go(breakpoints.events, false)),
    next: step('over', false),
    stepIn: step('in', false),
    stepOut: step('out', false),
    stepBack: step('over', true),
    continue: () => go(breakpoints.events, false),
    reverseContinue: () => go(breakpoints.events, true),
    async restart() {
      await run.move({ step: entry }, false)
      return stopped('entry')
    },
  }
}

type BreakpointRequest = 'setBreakpoints' | 'setExceptionBreakpoints' | 'dataBreakpointInfo' | 'setDataBreakpoints'

function breakpointHandlers(
  { run, sources, breakpoints, first }: Opened,
  references: References,
): Handlers<BreakpointRequest> {
  return {
    setBreakpoints({ source, breakpoints: wanted }) {
      const lines = wanted.map(({ line }) => line + 1 - first.line)
      const set = breakpoints.setLines(sources.fileOf(source), lines)
      return { body: { breakpoints: set.map((each) => ({ ...each, line: each.line - 1 + first.line })) } }
    },
    setExceptionBreakpoints({ filters }) {
      breakpoints.setFilters(filters)
      return {}
    },
    async dataBreakpointInfo({ name, variablesReference, frameId }) {
      const shown = variablesReference
        ? (await loadShown(references, variablesReference)).find((each) => each.name === name)
        : await evaluate(run, levelOf(frameId), name)
      if (!shown?.slot) return { body: { dataId: null, description: `${name} is not a value in one storage slot` } }
      const description = `writes of ${shown.path ?? name}`
      return { body: { dataId: slotId(shown.slot), description, accessTypes: ['write'] } }
    },
    setDataBreakpoints: ({ breakpoints: wanted }) => ({
      body: { breakpoints: breakpoints.setSlots(wanted.map(({ dataId }) => dataId)) },
    }),
  }
}

function stackHandlers({ run, name: runName, sources, first }: Opened): Handlers<'threads' | 'stackTrace'> {
  async function frameOf(
    { function: name, contract, address, file, line }: DebugEntry,
    index: number,
  ): Promise<DebugProtocol.StackFrame> {
    const position =
      file === null || line === null
        ? { line: 0, column: 0 }
        : { line: line - 1 + first.line, column: first.column, source: await sources.sourceOf(file, address) }
    return {
      id: index + 1,
      name: name ?? contract ?? address,
      ...position,
      ...(index === 0 && { instructionPointerReference: String(run.position.step) }),
    }
  }

  return {
    threads: () => ({ body: { threads: [{ id: threadId, name: runName }] } }),
    async stackTrace({ startFrame, levels }) {
      const { stack } = run.position
      const shown = stack.slice(startFrame, levels > 0 ? startFrame + levels : undefined)
      const stackFrames = await Promise.all(shown.map((each, index) => frameOf(each, startFrame + index)))
      return { body: { stackFrames, totalFrames: stack.length } }
    },
  }
}

function variableHandlers({ run }: Opened, references: References): Handlers<'scopes' | 'variables' | 'evaluate'> {
  return {
    scopes({ frameId }) {
      const scopes = scopesOf(run, levelOf(frameId))
      return {
        body: {
          scopes: scopes.map(({ name, parts }) => ({
            name,
            variablesReference: references.add(parts),
            expensive: false,
          })),
        },
      }
    },
    async variables({ variablesReference }) {
      const shown = await loadShown(references, variablesReference)
      return { body: { variables: shown.map((each) => references.describe(each)) } }
    },
    async evaluate({ expression, frameId }) {
      const shown = await evaluate(run, levelOf(frameId), expression.trim())
      const { value: result, type, variablesReference } = references.describe(shown)
      return { body: { result, type, variablesReference } }
    },
  }
}

/** Sources, instructions, and why the run failed where it stands. */
function codeHandlers({ run, sources }: Opened): Handlers<'source' | 'exceptionInfo' | 'disassemble'> {
  return {
    source({ sourceReference }) {
      const content = sources.contentOf(sourceReference)
      if (content === undefined)
        throw new Error(
          'the network does not have this file: push its project with `understudy push`, or set cwd to the folder of the project',
        )
      return { body: { content } }
    },
    exceptionInfo() {
      const { error, message } = run.position
      return { body: { exceptionId: error ?? 'none', description: message ?? undefined, breakMode: 'always' } }
    },
    async disassemble({ memoryReference, offset, instructionOffset, instructionCount }) {
      const from = memoryReference + offset + instructionOffset
      const start = Math.max(0, from)
      const count = from + instructionCount - start
      const operations = count > 0 ? await run.operations(start, count) : []
      const known = new Map(operations.map((each) => [each.step, each]))
      const instructions = Array.from({ length: instructionCount }, (_, index) => {
        const operation = known.get(from + index)
        const address = String(from + index)
        if (!operation) return { address, instruction: '', presentationHint: 'invalid' }
        return { address, instruction: `${'  '.repeat(operation.depth)}${operation.opcode}` }
      })
      return { body: { instructions } }
    },
  }
}

async function loadShown(references: References, reference: number): Promise<Shown[]> {
  const shown = await references.load(reference)
  if (!shown) throw new Error(`there are no variables ${reference} here: the run has moved`)
  return shown
}
