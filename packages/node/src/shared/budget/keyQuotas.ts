import { NetworkError } from '../errors.ts'

const minuteMs = 60_000

/**
 * An amount that one API key may use in a minute; all of it may be used at once. When it is spent, a tenth has to come back
 * before anything of it can be used: less would start work that cannot end.
 */
export class KeyQuota {
  readonly limit: number
  readonly #resumesAt: number
  readonly #clock: { now(): number }
  #left: number
  #filledAt: number
  #isSpent = false

  constructor(limit: number, clock: { now(): number }, resumesAt = limit / 10) {
    this.limit = limit
    this.#resumesAt = resumesAt
    this.#clock = clock
    this.#left = limit
    this.#filledAt = clock.now()
  }

  /** 0 while it is spent. */
  get left(): number {
    const now = this.#clock.now()
    const back = (Math.max(0, now - this.#filledAt) * this.limit) / minuteMs
    this.#left = Math.min(this.limit, this.#left + back)
    this.#filledAt = now
    if (this.#left >= this.#resumesAt) this.#isSpent = false
    return this.#isSpent ? 0 : this.#left
  }

  spend(amount: number): void {
    this.#left -= amount
    if (this.#left <= 0) this.#isSpent = true
  }
}

/** The computing time of one API key. */
export class KeyComputing {
  readonly #quota: KeyQuota

  constructor(secondsAMinute: number, clock: { now(): number }) {
    const limitMs = secondsAMinute * 1000
    this.#quota = new KeyQuota(limitMs, clock, Math.min(1000, limitMs / 10))
  }

  get leftMs(): number {
    return this.#quota.left
  }

  spend(ms: number): void {
    this.#quota.spend(ms)
  }

  /** Throws `KEY_COMPUTE_QUOTA_EXCEEDED` if nothing is left. */
  requireLeft(): void {
    if (this.leftMs <= 0) throw new NetworkError('KEY_COMPUTE_QUOTA_EXCEEDED', { seconds: this.#quota.limit / 1000 })
  }
}

/** What one API key may use; a quota that is `undefined` has no limit. */
export type KeyQuotas = {
  computing: KeyComputing | undefined
  /** Values of the live chain. */
  values: KeyQuota | undefined
}
