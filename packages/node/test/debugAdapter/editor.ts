import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { command } from '@understudy/testkit'
import { DebugClient } from '@vscode/debugadapter-testsupport'
import type { DebugProtocol } from '@vscode/debugprotocol'

type Stopped = DebugProtocol.StoppedEvent['body']

/** An editor that debugs with the built command. */
export class Editor extends DebugClient {
  readonly process: ChildProcess
  errors = ''

  /** The command runs in the directory. */
  constructor(args: readonly string[], directory: string) {
    super('', '', 'understudy')
    this.defaultTimeout = 20_000
    const environment = { PATH: process.env.PATH }
    const child = spawn(process.execPath, [command, 'debug', ...args], { cwd: directory, env: environment })
    child.stderr.on('data', (text) => {
      this.errors += text
    })
    this.process = child
    this.connect(child.stdout, child.stdin)
  }

  /** Disconnects, unless the command has ended. */
  override async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const ended = once(this.process, 'close')
    await Promise.race([ended, this.disconnectRequest()])
    await ended
  }

  /** Launches, sets breakpoints, and answers where it stopped first. */
  async begin(launch: object = {}, configure: () => Promise<unknown> = async () => undefined): Promise<Stopped> {
    await this.initializeRequest()
    const initialized = this.waitForEvent('initialized')
    await Promise.all([this.launchRequest(launch as DebugProtocol.LaunchRequestArguments), initialized])
    await configure()
    return this.go('configurationDone')
  }

  /** Sends a request after which the run stops somewhere. */
  async go(request: string, given: object = { threadId: 1 }): Promise<Stopped> {
    const stopped = this.waitForEvent('stopped')
    const [{ body }] = await Promise.all([stopped, this.send(request, given)])
    return body
  }

  async stack(): Promise<DebugProtocol.StackFrame[]> {
    return (await this.stackTraceRequest({ threadId: 1 })).body.stackFrames
  }

  /** The variables of a scope of a frame, by name. */
  async scope(name: string, frame = 0): Promise<Map<string, DebugProtocol.Variable>> {
    const frameId = (await this.stack())[frame]?.id as number
    const { scopes } = (await this.scopesRequest({ frameId })).body
    const found = scopes.find((each) => each.name === name)
    return found ? this.parts(found) : new Map()
  }

  async parts({ variablesReference }: { variablesReference: number }): Promise<Map<string, DebugProtocol.Variable>> {
    const { variables } = (await this.variablesRequest({ variablesReference })).body
    return new Map(variables.map((each) => [each.name, each]))
  }
}
