import type { Chain } from '../chain/chain.ts'
import type { Execution, Senders, TokenBalances } from '../execution/execution.ts'
import type { State } from '../state/state.ts'

/** What the network says of itself. */
export type NetworkInfo = {
  version: string
  chainId: bigint
  upstreamChainId: bigint | undefined
  /** Milliseconds since 1970. */
  startedAt: number
  dataDirectory: string
}

/** What the methods call: each service by its name. */
export type Services = {
  info(): NetworkInfo
  /** How far upstream is: `undefined` for a network that forks nothing. */
  upstream():
    | { url: string; head: bigint; headTimestamp: bigint; lastContactAt: number | undefined; reachable: boolean }
    | undefined
  chain: Chain
  state: State
  execution: Execution
  senders: Senders
  tokenBalances: TokenBalances
}
