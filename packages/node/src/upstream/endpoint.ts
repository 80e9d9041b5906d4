import { endpointName } from './secrets.ts'

/**
 * - `unverified`: its chain id is to be asked for before it serves.
 * - `ready`: it serves.
 * - `blocked`: it will not serve, for a reason that waiting does not mend: another chain, or a wrong key.
 */
type EndpointState = 'unverified' | 'verifying' | 'ready' | 'blocked'

/** One URL of upstream, and what is known about it. */
export class Endpoint {
  readonly url: URL
  /** The URL without its secrets. */
  readonly name: string
  state: EndpointState = 'unverified'
  /** It is left alone until then, in milliseconds since 1970. */
  restsUntil = 0
  /** In a row. */
  failures = 0
  /** In a row. */
  limits = 0
  /** The most calls that it takes in one batch; 1 when it takes none. */
  batchLimit: number
  /** What went wrong last. */
  problem: string | undefined
  /** When it last answered, in milliseconds since 1970. */
  lastContactAt: number | undefined

  constructor(url: URL, batchLimit: number) {
    this.url = url
    this.name = endpointName(url)
    this.batchLimit = batchLimit
  }
}
