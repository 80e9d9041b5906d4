import type { OtherNodes } from '../cluster/forwarder.ts'
import type { StoredNetwork } from '../network/network.ts'
import type { LocalState } from '../network/resets.ts'
import type { Services } from '../rpc/services.ts'
import { createMutex } from '../shared/async/mutex.ts'
import { type Clock, within } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'

/** A network that a server serves, from `start` to `stop`. */
export type OpenedNetwork = Service & {
  readonly services: Services
  /** Resolves with the reason when it cannot continue. */
  readonly failed: Promise<NetworkError>
  /** The other nodes of the network; `undefined` if it cannot be shared. */
  readonly nodes: OtherNodes | undefined
  /** Stops the network and stores `next` instead, in the same SQL transaction as what happens to everything local. */
  leaveTo(next: StoredNetwork, local: LocalState): Promise<void>
}

/** How long pending requests may take to finish before their network is closed. */
const graceMs = 2_000

/** Holds the network behind a server and can replace it while the server stays open. */
export type NetworkSwitch = {
  /** The services of the current network, as one object that never changes. */
  readonly services: Services
  readonly failed: Promise<NetworkError>
  /** Runs a request; during a replacement, the request waits for the next network. */
  serve<Result>(task: () => Result): Result | Promise<Awaited<Result>>
  /**
   * Replaces the network once no other request is running. Call it only inside a request. If the next network cannot be
   * opened, every later request fails with that error.
   */
  replaceBy(next: StoredNetwork, local: LocalState): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

type Needs = { first: OpenedNetwork; open(): Promise<OpenedNetwork>; clock: Clock }

export function createNetworkSwitch({ first, open, clock }: Needs): NetworkSwitch {
  const services: Services = { ...first.services }
  const mutex = createMutex()
  let current: OpenedNetwork | undefined
  let gate: Promise<void> | undefined
  let problem: NetworkError | undefined
  /** Running requests, and those among them that replace the network. */
  let served = 0
  let exchanging = 0
  let onIdle = () => {}
  let fail: (error: NetworkError) => void = () => {}
  const failed = new Promise<NetworkError>((resolve) => {
    fail = resolve
  })

  function show(network: OpenedNetwork): void {
    current = network
    Object.assign(services, network.services)
    void network.failed.then((error) => {
      if (current === network) fail(error)
    })
  }

  function leave(): void {
    served--
    if (served <= exchanging) onIdle()
  }

  function enter<Result>(task: () => Result): Result | Promise<Awaited<Result>> {
    if (problem) throw problem
    served++
    let result: Result
    try {
      result = task()
    } catch (error) {
      leave()
      throw error
    }
    if (!(result instanceof Promise)) {
      leave()
      return result
    }
    // `finally` would make three promises.
    return result.then(
      (value) => {
        leave()
        return value
      },
      (error) => {
        leave()
        throw error
      },
    ) as Promise<Awaited<Result>>
  }

  async function othersFinished(): Promise<void> {
    if (served <= exchanging) return
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve
    })
    await within(clock, graceMs, idle, () => {})
    onIdle = () => {}
  }

  async function replace(stored: StoredNetwork, local: LocalState): Promise<void> {
    await othersFinished()
    const before = current
    try {
      current = undefined
      await before?.leaveTo(stored, local)
      const next = await open()
      show(next)
      await next.start()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      problem = new NetworkError('RESET_FAILED', { problem: reason }, { cause: error })
      fail(problem)
      throw problem
    }
    services.changes.emit('exchanged', undefined)
  }

  show(first)
  return {
    services,
    failed,
    serve: (task) => (gate ? (gate.then(() => enter(task)) as never) : enter(task)),
    async replaceBy(next, local) {
      exchanging++
      try {
        await mutex.run(async () => {
          let lift = () => {}
          gate = new Promise((resolve) => {
            lift = resolve
          })
          try {
            await replace(next, local)
          } finally {
            gate = undefined
            lift()
          }
        })
      } finally {
        exchanging--
      }
    },
    start: async () => current?.start(),
    stop: () => mutex.run(async () => current?.stop()),
  }
}
