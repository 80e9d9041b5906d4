import assert from 'node:assert/strict'
import type { Random } from '@understudy/testkit'
import { EndedEarly, JsonRpcError, startUnderstudy, type Understudy } from '@understudy/testkit'
import type { Figures } from '../../shared/figures.ts'
import type { LiveContracts } from '../kill/liveTraffic.ts'
import { createWorker } from '../kill/load.ts'
import { Register } from '../kill/register.ts'
import { type Rpc, rpcOf } from '../kill/rpc.ts'
import { override } from '../kill/steps/overrides.ts'
import { create, pay, transferTokens } from '../kill/steps/transactions.ts'
import { setBalance, setCode, setStorage } from '../kill/steps/writes.ts'

/** What a case needs: the live chain and random choices. */
export type DiskTestContext = { forkUrl: string; live: LiveContracts; random: Random; figures: Figures }

const steps = [pay, create, transferTokens, setBalance, setStorage, setCode, override]

/** A data directory, and what its network answered. */
export class Site {
  readonly register = new Register()
  readonly directory: string
  readonly #context: DiskTestContext
  #network: Understudy | undefined

  constructor(directory: string, context: DiskTestContext) {
    this.directory = directory
    this.#context = context
  }

  get rpc(): Rpc {
    assert(this.#network, 'the network does not run')
    return rpcOf(this.#network.url)
  }

  /** Starts the network; `wrapper` runs before it. */
  async start(wrapper: readonly string[] = []): Promise<void> {
    const args = ['--fork-url', this.#context.forkUrl, '--data-dir', this.directory]
    this.#network = await startUnderstudy(args, { wrapper })
  }

  /** Starts a network that cannot run: it must end with code 1 and one line that says why. Answers the line. */
  async failToStart(wrapper: readonly string[] = []): Promise<string> {
    const ended = await this.start(wrapper).then(
      () => undefined,
      (error) => (error instanceof EndedEarly ? error.ended : Promise.reject(error)),
    )
    if (!ended) await this.end('SIGKILL')
    assert(ended, 'it started')
    assert.equal(ended.code, 1, ended.stderr)
    const [line = '', ...rest] = ended.stderr.trim().split('\n')
    assert.match(line, /^error: the (data directory|database in the data directory|network) .+/)
    assert.deepEqual(rest, [])
    return line.replace(this.directory, 'DIR')
  }

  /** Ends it; answers what it wrote as errors and warnings. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
    const ended = await this.#network?.end(signal)
    this.#network = undefined
    return ended ? ended.stderr + ended.stdout : ''
  }

  /** Makes several changes. Returns the refusals. */
  async write(count: number): Promise<JsonRpcError[]> {
    assert(this.#network)
    const { random, live } = this.#context
    const load = { url: this.#network.url, register: this.register, random, live }
    const refusals: JsonRpcError[] = []
    let worker = await createWorker(load, 0)
    for (let done = 0; done < count; done++) {
      try {
        await random.pick(steps)(worker)
      } catch (error) {
        if (!(error instanceof JsonRpcError)) throw error
        refusals.push(error)
        worker = await createWorker(load, 0)
      }
    }
    return refusals
  }

  /** Checks everything that was answered. */
  async check(): Promise<void> {
    this.#context.figures.add('facts checked', await this.register.check(this.rpc, 'all'))
  }

  /** Starts, checks everything, and stops. */
  async mustBeWhole(): Promise<void> {
    await this.start()
    await this.check()
    assert.deepEqual(await this.write(5), [])
    await this.end()
  }
}

/** Refusals must name the disk as the cause. */
export function requireClear(refusals: readonly JsonRpcError[]): void {
  for (const { code, data, message } of refusals)
    assert.match(String((data as { kind?: string } | undefined)?.kind), /^DATA_DIRECTORY_/, `${code} ${message}`)
}
