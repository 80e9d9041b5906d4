import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Client } from '../rpc/caller.ts'
import { KeyComputing, KeyQuota } from '../shared/budget/keyQuotas.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { mayDo, type Role } from '../shared/role.ts'
import { holderOfAddress } from './limits/addresses.ts'
import { createRateLimit } from './limits/rateLimit.ts'
import { idOfPublicKey, isPublicKeyOf, type KeyScope, publicKeyOf, scopeOfPath } from './publicKey.ts'

export type AccessOptions = {
  apiKeys: readonly KeyWithLimits[]
  /** Maximum requests per second of one key, or of one address if there are no keys; `undefined`: unlimited. */
  rateLimit: number | undefined
  /** Seconds of computing a minute of one key; `undefined` for the default, which only several keys have. */
  keyComputing: number | undefined
  /** Values of the live chain a minute of one key; `undefined` for the default, which only several keys have. */
  keyValues: number | undefined
}

/** A key, with the limits that it has instead of those of all keys. */
export type KeyWithLimits = { key: string; role: Role } & Partial<Pick<AccessOptions, 'rateLimit' | 'keyComputing'>>

/** Usage of a key since the start. */
export type KeyUsage = {
  /** The first digits of the key's SHA-256: enough to identify a key, useless to authenticate. */
  id: string
  role: Role
  requests: number
  /** Requests that failed. */
  errors: number
  /** Milliseconds since 1970; `undefined` if the key was not used yet. */
  lastUsedAt: number | undefined
}

/** The configured API keys and their usage counts. */
export type ApiKeys = {
  usage(): KeyUsage[]
  /** Counts a request. */
  count(id: string | undefined, failed: boolean): void
}

export type Access = ApiKeys & {
  /** Identifies the caller. Throws `UNAUTHORIZED` if keys are required and the key is missing or unknown. */
  identify(request: IdentifiedRequest): Identity
  /** The key of a request, and one to give to others for a network. `undefined` without keys, and for a key that is not of the list. */
  keysFor(request: Pick<IdentifiedRequest, 'headers' | 'url'>, scope: KeyScope): GivenKeys | undefined
  /** Who connects to the local socket, which only the user of the process can: that user has all roles. */
  local(): Identity
}

/** `network`: the name of the network that is asked, if the process has several. */
type IdentifiedRequest = {
  headers: IncomingHttpHeaders
  url: string
  ip?: string | undefined
  network?: string | undefined
}

/** `public`: with at most the role write, and for one network. */
export type GivenKeys = { own: string; public: string }

export type Identity = Pick<Client, 'role' | 'key' | 'holder' | 'mayAsk' | 'quotas'>

type Holder = { digest: Buffer; identity: Identity; publicIdentity: Identity; usage: KeyUsage }

/** All connections of the local socket are one holder of shares. */
const localSocket = 'local socket'

/** Three quarters of the computing that there is: even without turns, other keys find a quarter. */
const defaultComputing = 45
/** Ten times what one message may fetch by default. */
const defaultValues = 200_000

/** Identifies callers by their keys. Keys are stored as digests and compared in constant time. */
export function createAccess({ apiKeys, rateLimit, ...given }: AccessOptions, { clock }: { clock: Clock }): Access {
  const isWithinRate = rateLimit === undefined ? () => true : createRateLimit(rateLimit, clock)
  const hasSeveral = apiKeys.length > 1
  const keyValues = given.keyValues ?? (hasSeveral ? defaultValues : undefined)
  const holders = apiKeys.map(({ key, role, ...own }): Holder => {
    const digest = digestOf(key)
    const id = keyId(key)
    const keyComputing = own.keyComputing ?? given.keyComputing ?? (hasSeveral ? defaultComputing : undefined)
    const mayAsk = own.rateLimit === undefined ? isWithinRate : createRateLimit(own.rateLimit, clock)
    const quotas = {
      computing: keyComputing === undefined ? undefined : new KeyComputing(keyComputing, clock),
      values: keyValues === undefined ? undefined : new KeyQuota(keyValues, clock),
    }
    const identity: Identity = { role, key: id, holder: id, mayAsk: () => mayAsk(id), quotas }
    return {
      ...{ digest, identity },
      publicIdentity: mayDo(role, 'admin') ? { ...identity, role: 'write' } : identity,
      usage: { id, role, requests: 0, errors: 0, lastUsedAt: undefined },
    }
  })

  function find(given: string): Holder | undefined {
    const digest = digestOf(given)
    let found: Holder | undefined
    for (const holder of holders) if (timingSafeEqual(holder.digest, digest)) found = holder
    return found
  }

  function findPublic(given: string, { url, network }: IdentifiedRequest): Identity | undefined {
    const id = idOfPublicKey(given)
    const scope = id === undefined ? undefined : scopeOfPath(url, network)
    if (id === undefined || !scope) return undefined
    return holders.find(({ digest, usage }) => usage.id === id && isPublicKeyOf(given, { id, digest }, scope))
      ?.publicIdentity
  }

  return {
    local: () => ({ role: 'admin', key: undefined, holder: localSocket, mayAsk: () => isWithinRate(localSocket) }),
    identify(request) {
      if (holders.length === 0) {
        const holder = holderOfAddress(request.ip)
        return { role: 'admin', key: undefined, holder, mayAsk: () => isWithinRate(holder) }
      }
      const given = keyFrom(request)
      const problem =
        'send an API key as Authorization: Bearer KEY, as x-api-key or x-access-key, or in the path /rpc/KEY'
      if (given === undefined) throw new NetworkError('UNAUTHORIZED', { problem })
      const identity = find(given)?.identity ?? findPublic(given, request)
      if (!identity) throw new NetworkError('UNAUTHORIZED', { problem: `the API key is unknown; ${problem}` })
      return identity
    },
    keysFor(request, scope) {
      const given = holders.length === 0 ? undefined : keyFrom(request)
      const holder = given === undefined ? undefined : find(given)
      if (given === undefined || !holder) return undefined
      return { own: given, public: publicKeyOf({ id: holder.usage.id, digest: holder.digest }, scope) }
    },
    usage: () => holders.map(({ usage }) => ({ ...usage })),
    count(id, failed) {
      const usage = holders.find(({ usage }) => usage.id === id)?.usage
      if (!usage) return
      usage.requests++
      if (failed) usage.errors++
      usage.lastUsedAt = clock.now()
    },
  }
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Identifies a key without revealing it. */
export const keyId = (key: string): string => digestOf(key).toString('hex', 0, 4)

/** Headers with a key beside `Authorization`: ours, and that of Tenderly's clients. */
const keyHeaders = ['x-api-key', 'x-access-key'] as const

/** The key in a request, known or not. */
export function keyFrom({ headers, url }: { headers: IncomingHttpHeaders; url: string }): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const header = keyHeaders.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '')
  return bearer ?? (header as string | undefined) ?? /^(?:\/n\/[^/?]+)?\/rpc\/([^/?]+)/.exec(url)?.[1]
}
