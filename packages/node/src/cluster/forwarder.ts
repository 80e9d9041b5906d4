import { randomBytes } from 'node:crypto'
import { Agent } from 'undici'
import { type Clock, every, pause } from '../shared/clock.ts'
import { type ErrorKind, NetworkError } from '../shared/errors.ts'
import type { LongText } from '../shared/json/jsonText.ts'
import type { LeaseRecord } from '../storage/records/lease.ts'
import {
  digestOfBody,
  hostNameOfNodes,
  internalHeaders,
  internalPath,
  type SignedCall,
  signatureOf,
} from './internalCalls.ts'
import type { Membership } from './membership.ts'

/** The result of a call. */
type Answer = {
  /** JSON; `undefined` for a notification. */
  text: string | LongText | undefined
  error: ErrorKind | undefined
}

/** The caller. */
type Caller = { role: string; key: string | undefined }

/** A call that changes the network. */
export type ForwardedCall = {
  /** The request as JSON. */
  body: string
  caller: Caller
  /** The name or id of the branch that is called; absent for the network. */
  branch?: string
  /** Runs the call on this node. */
  here(): Promise<Answer>
  /** Set when it may be sent again: the answer of one that has arrived, as this node knows it. */
  findAnswer: (() => Promise<Answer | undefined>) | undefined
}

type Forwarder = {
  run(call: ForwardedCall): Promise<Answer>
  /** Runs a read on the sealer; here if this node seals, or if the sealer does not answer. */
  read(call: Omit<ForwardedCall, 'findAnswer'>): Promise<Answer>
  stop(): Promise<void>
}

type Needs = {
  membership: Pick<Membership, 'isSealer' | 'sealer' | 'reach' | 'catchUp'>
  clock: Clock
}

/** How long a call waits for a sealer. */
const timeoutMs = 5_000
/** How often to check for a sealer. */
const pollMs = 50
/** How long a call may run on the other node. */
const callLimitMs = 120_000

/** How many reads are sent at a time, and how long one may take. Further ones wait; changes have connections of their own. */
const readsAtATime = 16
const readLimitMs = 30_000

/** The outcome of a call that was sent to another node. */
type ForwardOutcome =
  | { type: 'answered'; answer: Answer; revision: number }
  /** It was not executed there. */
  | { type: 'refused'; problem: string }
  | { type: 'unknown'; problem: string }

/** Errors after which nothing was stored. */
const notWritten: readonly (ErrorKind | undefined)[] = ['NETWORK_TAKEN_OVER', 'NO_SEALER', 'DATABASE_UNAVAILABLE']

/** Runs calls on the sealer that change the network, or that need its pool. */
export function createForwarder({ membership, clock }: Needs): Forwarder {
  const agentFor = (connections: number, headersTimeout: number) =>
    new Agent({ connections, pipelining: 1, connectTimeout: 1_000, headersTimeout })
  const changes = agentFor(64, callLimitMs)
  const reads = agentFor(readsAtATime, readLimitMs)

  async function post(
    agent: Agent,
    { url = '', secret, term }: LeaseRecord,
    call: Pick<ForwardedCall, 'body' | 'caller' | 'branch'>,
  ): Promise<ForwardOutcome> {
    const stop = new AbortController()
    // A paused node never answers: when another node has taken over, stop waiting for it.
    const watch = every(clock, pollMs, () => membership.sealer()?.term !== term && stop.abort())
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await agent.request({
        origin: new URL(url).origin,
        // Where one process serves several networks, the path of this one comes first.
        path: `${new URL(url).pathname.replace(/\/$/, '')}${internalPath}`,
        method: 'POST',
        headers: {
          host: hostNameOfNodes,
          'content-type': 'application/json',
          ...signedHeaders(secret, call),
        },
        body: call.body,
        signal: stop.signal,
      })
      const text = await answer.text()
      if (statusCode !== 200 && statusCode !== 204)
        return { type: 'refused', problem: `the node at ${url} answered: ${text.slice(0, 200)}` }
      const error = headers[internalHeaders.error]
      return {
        type: 'answered',
        answer: {
          text: statusCode === 204 ? undefined : text,
          error: typeof error === 'string' ? (error as ErrorKind) : undefined,
        },
        revision: Number(headers[internalHeaders.revision]),
      }
    } catch (error) {
      const problem = `the node at ${url} did not answer`
      return { type: isUnsent(error) ? 'refused' : 'unknown', problem }
    } finally {
      watch.cancel()
    }
  }

  function signedHeaders(
    secret: string,
    { body, caller: { role, key }, branch }: Pick<ForwardedCall, 'body' | 'caller' | 'branch'>,
  ): Record<string, string> {
    const call: SignedCall = {
      time: String(clock.now()),
      nonce: randomBytes(16).toString('base64url'),
      digest: digestOfBody(body),
      role,
      key,
      branch: branch && encodeURIComponent(branch),
    }
    const signed = { ...call, signature: signatureOf(secret, call) }
    return Object.fromEntries(
      Object.entries(signed).flatMap(([name, value]) =>
        value === undefined ? [] : [[internalHeaders[name as keyof typeof signed], value]],
      ),
    )
  }

  return {
    async run(call) {
      const { here, findAnswer } = call
      const mayRepeat = findAnswer !== undefined
      const until = clock.now() + timeoutMs
      let problem = 'no sealer has been chosen yet'
      for (;;) {
        const sealer = membership.sealer()
        if (membership.isSealer()) {
          const answer = await here()
          if (!mayRepeat || !isUndone(answer)) return answer
          problem = 'this node has just stepped back'
        } else if (sealer?.url !== undefined && sealer.leftMs > 0) {
          const outcome = await post(changes, sealer, call)
          if (outcome.type === 'answered' && !(mayRepeat && isUndone(outcome.answer))) {
            await membership.reach(outcome.revision)
            return outcome.answer
          }
          if (outcome.type === 'unknown' && !mayRepeat) throw new NetworkError('WRITE_OUTCOME_UNKNOWN', {})
          if (outcome.type !== 'answered') problem = outcome.problem
        }
        if (clock.now() >= until) throw new NetworkError('NO_SEALER', { problem })
        await pause(clock, pollMs)
        if (!findAnswer || membership.isSealer()) continue
        await membership.catchUp().catch(() => {})
        const answer = await findAnswer()
        if (answer) return answer
      }
    },
    async read(call) {
      const sealer = membership.sealer()
      if (membership.isSealer() || sealer?.url === undefined || sealer.leftMs <= 0) return call.here()
      const outcome = await post(reads, sealer, call)
      if (outcome.type !== 'answered') return call.here()
      await membership.reach(outcome.revision)
      return outcome.answer
    },
    async stop() {
      await Promise.all([changes.destroy(), reads.destroy()])
    },
  }
}

/** Whether the call may be resent: it was not executed, or a repetition would be detected. */
const isUndone = ({ error }: Answer) => notWritten.includes(error) || error === 'DATABASE_OUTCOME_UNKNOWN'

/** Whether the connection could not be established. */
function isUnsent(error: unknown): boolean {
  const { code } = error as { code?: string }
  return (
    code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH'
  )
}

/** What a node needs to answer other nodes. */
export type Peers = {
  isSealer(): boolean
  /** The signing secret; `undefined` while no node holds the lease. */
  secret(): string | undefined
  /** The last revision of this node. */
  revision(): number
}

/** How a node calls the others, and answers their calls. */
export type OtherNodes = { remoteSealer: Pick<Forwarder, 'run' | 'read'>; peers: Peers }

/** The methods that other nodes may call here. */
export function peersOf(membership: Membership): Peers {
  return {
    isSealer: membership.isSealer,
    secret: () => membership.sealer()?.secret,
    revision: membership.revision,
  }
}
