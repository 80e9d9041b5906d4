import type { Dispatcher } from '../../rpc/dispatch/dispatch.ts'
import type { MethodCalls } from '../../rpc/dispatch/methodCalls.ts'
import type { Role } from '../../shared/role.ts'
import type { GivenKeys } from '../access.ts'
import type { UseBranch } from '../webSockets.ts'

/** The network that a project names, as a route sees it: its methods, called with the role and the limits of the caller. */
export type RestNetwork = MethodCalls & {
  /** The name of the project. */
  project: string
  /** Where clients reach it from outside, without a trailing slash. */
  url: string
  /** Its name among the networks of the process; `undefined` of a branch, and of a network that is alone. */
  hosted: string | undefined
  /** The API key of the request, and one to give to others for this network; `undefined` where there are no keys. */
  keys: GivenKeys | undefined
  /** A branch of it, or beside it, by its id or name. Throws `BRANCH_NOT_FOUND`. */
  branch(idOrName: string): Promise<RestNetwork>
}

export type RestRequest = {
  /** The parameters in the path, decoded. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[] | undefined>>
  /** The JSON of the body; empty without one. Its fields are not checked: those that no route knows are ignored. */
  body: Readonly<Record<string, unknown>>
  /** The network of the project, or the one that is asked where the path names none. */
  network: RestNetwork
  /** The network of a chain: that of the project, or another one of the process. Throws `INVALID_PARAMS`. */
  ofChain(chainId: bigint): Promise<RestNetwork>
  /** Where clients reach another network of the process, and their keys for it. */
  addressOf(hosted: string): Pick<RestNetwork, 'url' | 'keys'>
  /** A network of the process, by its name. Throws `NOT_FOUND`. */
  named(hosted: string): Promise<RestNetwork>
  /** Other networks of the process, those that are awake first; of those that sleep, only those of the configuration. */
  others(): AsyncIterable<RestNetwork>
}

export type RestRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Paths without the prefix `/api`, of which `projectPath` begins most. */
  paths: readonly string[]
  /** What a key needs to be let in. The methods that the route calls check theirs as well. */
  role: Role
  /** The status of an answer; 200 by default. */
  status?: number
  /** Answers what is sent as JSON; `undefined` for an empty answer. Throws `NetworkError` or `MethodError`. */
  answer(request: RestRequest): Promise<unknown>
}

/** The beginning of the paths of a project. The account is not looked at. */
export const projectPath = '/v1/account/:account/project/:project'

/** Another network of the process, by its name or the id of its chain. */
export type WantedNetwork = { name: string } | { chainId: bigint }

/**
 * Opens one of the networks of the process, until it is released or stopped; `undefined`: the sender may use none like it.
 * Throws if it cannot be opened.
 */
export type UseNetwork = (
  wanted: WantedNetwork,
  sender: { key: string | undefined },
) => Promise<UsedNetwork | undefined>

export type UsedNetwork = { name: string; dispatcher: Dispatcher; useBranch: UseBranch; release(): void }
