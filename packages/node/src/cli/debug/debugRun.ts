import { errorKind } from '@understudy/client'
import type { Params, Result } from '@understudy/client/methods'
import type { RemoteNetwork } from '../remote/network.ts'

export type DebugPosition = Result<'dev_debugOpen'>['position']
export type DebugEntry = DebugPosition['stack'][number]
export type DebugMove = Params<'dev_debugStep'>[1]
export type DebugOperation = DebugPosition['operations'][number]
type Variables = Result<'dev_debugVariables'>
type VariablesQuery = NonNullable<Params<'dev_debugVariables'>[1]>
/** A transaction hash, or a call. */
export type Subject = Params<'dev_debugOpen'>[0]

/** The debug session ended, and could not be opened again. */
export class SessionLost extends Error {}

/** A debug session of a network. The network ends it when it is unused; it is then opened again where it was. */
export class DebugRun {
  readonly #network: RemoteNetwork
  readonly #params: readonly unknown[]
  #id = ''
  #steps = 0
  #position: DebugPosition | undefined

  /** `block`: of a call. */
  constructor(network: RemoteNetwork, subject: Subject, block?: unknown) {
    this.#network = network
    this.#params = block === undefined ? [subject] : [subject, block]
  }

  get position(): DebugPosition {
    if (!this.#position) throw new Error('The run is not open')
    return this.#position
  }

  /** Whether nothing runs after the operation where it is. */
  get isAtEnd(): boolean {
    return this.position.step >= this.#steps - 1
  }

  /** Throws `RemoteError`, and so do the others. */
  async open(): Promise<void> {
    const { id, steps, position } = await this.#network.call('dev_debugOpen', this.#params)
    this.#id = id
    this.#steps = steps
    this.#position = position
  }

  async move(to: DebugMove, isBack: boolean): Promise<DebugPosition> {
    this.#position = await this.#use((id) => this.#network.call('dev_debugStep', [id, to, isBack]))
    return this.#position
  }

  variables(query: VariablesQuery): Promise<Variables> {
    return this.#use((id) => this.#network.call('dev_debugVariables', [id, query]))
  }

  lines(): Promise<Result<'dev_debugLines'>> {
    return this.#use((id) => this.#network.call('dev_debugLines', [id]))
  }

  operations(from: number, count: number): Promise<DebugOperation[]> {
    return this.#use((id) => this.#network.call('dev_debugOperations', [id, from, count]))
  }

  async close(): Promise<void> {
    await this.#network.call('dev_debugClose', [this.#id])
  }

  async #use<T>(request: (id: string) => Promise<T>): Promise<T> {
    try {
      return await request(this.#id)
    } catch (error) {
      if (errorKind(error) !== 'DEBUG_SESSION_NOT_FOUND') throw error
      await this.#openAgain()
      return request(this.#id)
    }
  }

  async #openAgain(): Promise<void> {
    const { step } = this.position
    try {
      await this.open()
      this.#position = await this.#network.call('dev_debugStep', [this.#id, { step }])
    } catch (error) {
      const problem = error instanceof Error ? error.message : error
      throw new SessionLost(`the debug session ended, and cannot be opened again: ${problem}`, { cause: error })
    }
  }
}
