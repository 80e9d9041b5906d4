import type { Address, Word } from '@understudy/evm'
import type { PageOf } from '../activity/page.ts'
import type { FunctionOverride } from '../overrides/functionOverrides.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { NetworkError } from '../shared/errors.ts'
import type { BlockTag } from '../state/blockTag.ts'

/** A network that left another one at a block, and goes its own way from there. */
export type Branch = {
  id: string
  name: string
  /** A name for people; `undefined` if it has none. */
  label: string | undefined
  /** Its path behind the server: `/n/` and its name. */
  path: string
  /** The name of the branch that it left; `undefined` for the network. */
  parent: string | undefined
  /** The block at which it left it. */
  blockNumber: bigint
  /** Milliseconds since 1970. */
  createdAt: number
  /** Milliseconds since 1970; `undefined` if it stays until it is removed. */
  expiresAt: number | undefined
  /** It ends with the process, and its changes are not flushed to the disk. */
  isEphemeral: boolean
}

/** How a request of a branch runs, and what it is answered with if the branch is closed before. */
export type BranchRequest<Answer> = {
  /** `signal` is aborted when the client is gone or the branch is closed. Reading it costs something. */
  run(request: { readonly signal: AbortSignal }): MaybePromise<Answer>
  fail(reason: NetworkError): Answer
  /** That of the client. */
  signal(): AbortSignal | undefined
}

/** A branch that is open while it is used, with the services that its requests call. */
export type UsedBranch<Services> = {
  services: Services
  /** Answers a request, until the branch is closed. */
  answer<Answer>(request: BranchRequest<Answer>): MaybePromise<Answer>
  release(): void
}

/** A value that differs between two networks, `a` and `b`. Code is represented by its hash. */
export type BranchDifference = { address: Address } & (
  | { field: 'balance' | 'nonce'; a: bigint; b: bigint }
  | { field: 'code'; a: Word; b: Word }
  /** `variables`: paths of those in the slot, if the storage layout is known. */
  | { field: 'storage'; slot: Word; variables: readonly string[]; a: bigint; b: bigint }
)

/** A function override of one of two networks, or with other values or another state in the other one. */
export type OverrideDifference = { a: FunctionOverride | undefined; b: FunctionOverride | undefined }

/** Where two networks part, and a page of what differs in their newest states. */
export type BranchComparison = PageOf<BranchDifference> & {
  /** The last block that both have, and the newest ones. */
  blocks: { common: bigint; a: bigint; b: bigint }
  /** The first ones. */
  overrides: OverrideDifference[]
  overrideCount: number
}

/** What a promotion changed in the parent of a branch. */
export type PromotedBranch = {
  /** The name of the parent; `undefined` for the network. */
  parent: string | undefined
  accounts: number
  slots: number
  /** The snapshot of the parent that undoes it. */
  snapshot: bigint
}

/** The branches of the networks behind a server. An id or a name finds one; otherwise, they throw `BRANCH_NOT_FOUND`. */
export type Branches<Services> = {
  /**
   * Makes a branch of this network: at a block, after a transaction, or at its newest state. Throws `INVALID_PARAMS`,
   * `BRANCH_EXISTS`, `BLOCK_NOT_FOUND`, `TRANSACTION_NOT_FOUND`, `BLOCK_PRUNED`, `LIMIT_EXCEEDED`.
   */
  create(wanted: {
    name: string | undefined
    label?: string | undefined
    at: BlockTag | undefined
    /** A transaction of this network, instead of a block. */
    afterTransaction?: Word | undefined
    expiresAt: number | undefined
    isEphemeral?: boolean
  }): Promise<Branch>
  /** Oldest first. */
  list(): Branch[]
  /** Removes a branch. Branches of it stay. */
  remove(idOrName: string): Promise<void>
  /** Without a label, it keeps the one that it has. Throws `BRANCH_EXISTS`. */
  rename(idOrName: string, name: string, label?: string): Promise<Branch>
  /**
   * What differs between a branch and another one, or this network. Throws `INVALID_PARAMS`, `LIMIT_EXCEEDED`,
   * `UPSTREAM_UNAVAILABLE`.
   */
  compare(
    a: string,
    b: string | undefined,
    page: { limit: number; cursor: string | undefined },
  ): Promise<BranchComparison>
  /** Puts the parent of a branch at the state of the branch. Throws `LIMIT_EXCEEDED`, `UNSUPPORTED`. */
  promote(idOrName: string): Promise<PromotedBranch>
  /**
   * Opens a branch, if it is not open. When it is removed or closed before it is released, its requests fail and `cut` is
   * called. Throws `BRANCH_NOT_FOUND`.
   */
  use(idOrName: string, cut: (reason: NetworkError) => void): Promise<UsedBranch<Services>>
  /** The URL of a branch, by the server's address. */
  urlOf(branch: Branch): string
}
