import type { Address, Authorization, BlockContext, Done, Word } from '@understudy/evm'
import type { LoadingView } from '../state/state.ts'

/** A message as a client describes it; what is `undefined` is filled in. Amounts in wei. */
export type CallRequest = {
  from?: Address
  to?: Address
  gas?: bigint
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  maxFeePerBlobGas?: bigint
  value?: bigint
  data?: Uint8Array
  nonce?: bigint
  accessList?: { address: Address; storageKeys: Word[] }[]
  blobVersionedHashes?: Word[]
  authorizationList?: Authorization[]
}

/** The block and the state that a message runs on. */
export type ExecutionPoint = { block: BlockContext; view: LoadingView }

/** State that a call sees instead of the real one, by account. `state` replaces the whole storage, `stateDiff` single slots. */
export type StateOverrides = Map<
  Address,
  { balance?: bigint; nonce?: bigint; code?: Uint8Array; state?: Map<Word, bigint>; stateDiff?: Map<Word, bigint> }
>

export type CallOverrides = { state?: StateOverrides; block?: Partial<Omit<BlockContext, 'fork'>> }

export type Execution = {
  /** Throws `EXECUTION_REVERTED` with the return data, `EXECUTION_FAILED`, or why the message may not run. */
  call(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): Promise<Done>
  /** The least gas with which the message succeeds, found by running it. Throws as `call` does. */
  estimateGas(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): Promise<bigint>
}

/** Who may send without a signature of their own: the funded accounts, whose keys the network holds, and the impersonated ones. */
export type Senders = {
  /** The funded accounts, in the order of their derivation. */
  funded(): Address[]
  impersonated(): Promise<Address[]>
  /** Durable when it resolves. */
  impersonate(address: Address): Promise<void>
  stopImpersonating(address: Address): Promise<void>
  /** Signs as `personal_sign` does (EIP-191). Throws `NOT_IMPERSONATED` when the network holds no key of the address. */
  signMessage(address: Address, message: Uint8Array): Promise<`0x${string}`>
  /** Signs EIP-712 data given as its JSON. */
  signTypedData(address: Address, typedData: unknown): Promise<`0x${string}`>
}

/** Balances of ERC-20 tokens, written into the storage slot that is found to hold them. */
export type TokenBalances = {
  /** Returns the new balance as the token answers it. Throws `BALANCE_SLOT_NOT_FOUND`. */
  setBalance(holder: Address, token: Address, amount: bigint): Promise<bigint>
  addBalance(holder: Address, token: Address, amount: bigint): Promise<bigint>
}
