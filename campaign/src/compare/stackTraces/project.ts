import type { Address, Hex } from 'viem'

/** The addresses of the deployed contracts, by name. */
export type Addresses = Record<string, Address>

/** A contract that the first account deploys. */
export type Deployed = { name: string; contract: string; args?: (at: Addresses) => unknown[]; value?: bigint }

/** A call, or a creation if it has no `to`. Those of `failures` fail. */
export type Failure = {
  name: string
  /** The name of a deployed contract; `contract` is the one whose ABI encodes the call, if it is another. */
  to?: string
  contract?: string
  call?: string
  args?: readonly unknown[] | ((at: Addresses) => readonly unknown[])
  /** The call's data as it is. */
  data?: Hex | ((at: Addresses) => Hex)
  value?: bigint
  gas?: bigint
  /** The number of the account; the first by default. */
  from?: number
}

/** A way to compile the contracts of a project. */
export type Compilation = {
  name: string
  compilers: { version: string; settings: object }[]
}

/** Contracts, how they are compiled and deployed, and what fails in them. */
export type Project = {
  /** The folder of `campaign/contracts`. */
  folder: string
  /** The folder of this repository with npm's packages, from which contracts import. */
  packages: string
  /** Contracts of these packages that are compiled beside those of the folder. */
  npmFilesToBuild: readonly string[]
  /** The first one has the lines that are right, where both networks agree. */
  compilations: readonly Compilation[]
  deployed: readonly Deployed[]
  /** Code that is copied from a deployed contract to another address. */
  copied?: readonly { from: string; address: Address }[]
  /** Transactions of the first account after the deployments; they succeed. */
  prepared?: readonly Failure[]
  failures: readonly Failure[]
}

export const of = (to: string, call: string, args: Failure['args'] = [], rest: Partial<Failure> = {}): Failure => ({
  name: `${to}.${call}`,
  to,
  call,
  args,
  ...rest,
})

export const named = (name: string, failure: Failure): Failure => ({ ...failure, name })
