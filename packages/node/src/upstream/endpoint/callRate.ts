import { type EndpointProfile, refusalMs } from './endpointProfile.ts'

/** How often it is logged at most that the rate is limited, in milliseconds. */
const limitLogMs = 60_000

type Found = Pick<EndpointProfile, 'limitedAtRate' | 'limitedAtUnits' | 'foundAt'>

/**
 * Compute units as Alchemy publishes them, and others with other scales: what calls cost beside each other. See
 * https://www.alchemy.com/docs/reference/compute-unit-costs.
 */
const units: Readonly<Record<string, number>> = {
  eth_chainId: 0,
  eth_blockNumber: 10,
  eth_feeHistory: 10,
  eth_createAccessList: 10,
  eth_call: 26,
  eth_sendRawTransaction: 40,
  eth_getLogs: 60,
}
const defaultUnits = 20
const debugUnits = 40
const unitsOf = (method: string) => units[method] ?? (method.startsWith('debug_') ? debugUnits : defaultUnits)

/** Calls that an endpoint is sent in a second: at most as many as its user says, and how many were too many. */
export class CallRate {
  readonly #most: number | undefined
  /** Calls that may be sent now, of a rate that was set. */
  #allowance: number
  #allowanceAt = 0
  /** What was sent in a second, and in the one before. */
  #sent = { second: 0, calls: 0, units: 0, before: { calls: 0, units: 0 } }
  #limitedAt: { calls: number; units: number } | undefined
  #foundAt = Number.NEGATIVE_INFINITY
  #loggedAt = Number.NEGATIVE_INFINITY

  /** `most`: calls a second; `undefined`: as many as it takes. */
  constructor(most: number | undefined) {
    this.#most = most
    this.#allowance = most ?? 0
  }

  /** How many of `calls` may be sent now. */
  mayTake(calls: number, now: number): number {
    if (this.#most === undefined) return calls
    const added = ((now - this.#allowanceAt) / 1000) * this.#most
    this.#allowance = Math.min(this.#most, this.#allowance + Math.max(0, added))
    this.#allowanceAt = now
    return Math.max(1, Math.min(calls, Math.floor(this.#allowance)))
  }

  /** After calls of these methods were sent. Returns in how many milliseconds the next may be. */
  sent(methods: readonly string[], now: number): number {
    const second = Math.floor(now / 1000)
    if (second !== this.#sent.second) {
      const { calls, units } = second === this.#sent.second + 1 ? this.#sent : { calls: 0, units: 0 }
      this.#sent = { second, calls: 0, units: 0, before: { calls, units } }
    }
    this.#sent.calls += methods.length
    for (const method of methods) this.#sent.units += unitsOf(method)
    if (this.#most === undefined) return 0
    this.#allowance -= methods.length
    return Math.max(0, Math.ceil(((1 - this.#allowance) / this.#most) * 1000))
  }

  /** After it limited the rate of calls. Returns whether that was not logged in the last minute. */
  limited(now: number): boolean {
    const isNews = now - this.#loggedAt >= limitLogMs
    if (isNews) this.#loggedAt = now
    const { calls, units, before } = this.#sent
    this.#limitedAt = { calls: Math.max(calls, before.calls), units: Math.max(units, before.units) }
    this.#foundAt = now
    return isNews
  }

  /** `undefined` if it did not limit the rate. */
  found(now: number): Found | undefined {
    if (!this.#limitedAt || now >= this.#foundAt + refusalMs) return undefined
    return { limitedAtRate: this.#limitedAt.calls, limitedAtUnits: this.#limitedAt.units, foundAt: this.#foundAt }
  }

  know({ limitedAtRate, limitedAtUnits, foundAt }: Found): void {
    if (limitedAtRate === undefined) return
    this.#limitedAt = { calls: limitedAtRate, units: limitedAtUnits ?? 0 }
    this.#foundAt = foundAt
  }
}
