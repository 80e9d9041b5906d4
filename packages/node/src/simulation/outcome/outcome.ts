import type { AccessListItem, Address, CallType, Fork, Hex, Word } from '@understudy/evm'
import type { AbiParameter } from 'viem'
import type { Leaves } from '../../ethereum/abi/outputValue.ts'
import type { CallOverrides, CallRequest } from '../../execution/execution.ts'
import type { StateOverrides } from '../../execution/stateOverrides.ts'
import type { BlockTag } from '../../state/blockTag.ts'

/**
 * Calls that run in order, each on the state that those before it left. Nothing is stored.
 *
 * Everything of an outcome is plain data: numbers of the chain are bigints, bytes are 0x-hex in lowercase, and what is not known is
 * left out or `undefined`. There are no maps, sets, byte arrays and classes in it, so that it can be stored.
 */
export type OutcomeRequest = {
  calls: readonly CallRequest[]
  /** The block after which they run, with its number, time and fees, as `eth_call` does. */
  block: BlockTag
  /** They run in that block before its transaction of this index, instead of after it. */
  transactionIndex?: bigint | undefined
  stateOverrides?: StateOverrides | undefined
  blockOverrides?: CallOverrides['block'] | undefined
  /**
   * What a failed call does to the others. `continue`: those after it run (default). `stop`: they do not. `revert`: they do not,
   * and those before it are undone, so that nothing has changed.
   */
  onFailure?: 'continue' | 'stop' | 'revert' | undefined
  /**
   * Whether the rules for transactions hold: the nonce, and the fees, which the sender must have. Otherwise a call pays
   * only if it names a price (default).
   */
  validation?: boolean | undefined
  /** Whether to find the gas limit with which each call succeeds, which takes several runs of it. */
  gasLimits?: boolean | undefined
  /**
   * `quick`: without what takes more reads than the runs themselves: no names and metadata, nothing inferred, no allowances, no
   * variables, no lines. Default: `full`.
   */
  detail?: 'full' | 'quick' | undefined
}

/** The block that calls ran in, with what overrides replaced. */
export type OutcomeBlock = {
  number: bigint
  /** The hash of the block that the state is of. */
  hash: Word
  /** Seconds. */
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  /** Wei per gas. */
  baseFee: bigint
  prevRandao: bigint
  /** Wei per blob gas. */
  blobBaseFee: bigint
  chainId: bigint
  fork: Fork
}

export type SequenceOutcome = {
  block: OutcomeBlock
  /** Of the calls that ran, in their order: fewer than there were calls if one failed and `onFailure` ended the sequence. */
  results: CallOutcome[]
  /** The index of the first call that failed. */
  failed: number | undefined
  /** Whether the calls before it were undone: `onFailure` was `revert`. Each result still says what its call did. */
  isUndone: boolean
}

/** What a sealed transaction did. */
export type TransactionOutcome = {
  hash: Word
  block: OutcomeBlock
  /** In its block. */
  transactionIndex: number
  outcome: CallOutcome
}

/** Runs calls, or a transaction once more, and says everything that is known about what they did. */
export type Outcomes = {
  /** A call that fails is a result. Throws if a call is invalid: its index is in the error's details where there are several. */
  simulate(request: OutcomeRequest): Promise<SequenceOutcome>
  /** Throws `TRANSACTION_NOT_FOUND` if there is no such sealed transaction. */
  ofTransaction(hash: Word): Promise<TransactionOutcome>
}

/** The call as it ran. */
export type OutcomeMessage = {
  from: Address
  /** `undefined` for a contract creation. */
  to: Address | undefined
  value: bigint
  input: Hex
  nonce: bigint
  /** The gas limit that it ran with. */
  gas: bigint
  /** Wei per gas that it paid; 0 if it named no price. */
  gasPrice: bigint
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
  accessList: AccessListItem[]
  /** The number of the transaction type that its fields make. */
  type: number
}

export type CallOutcome = {
  message: OutcomeMessage
  /** `failed`: it reverted or halted, and changed nothing but nonce and fees. */
  status: 'succeeded' | 'failed'
  /** After refunds. */
  gasUsed: bigint
  /** Deducted from `gasUsed` already. */
  gasRefund: bigint
  /** The lowest gas limit with which it succeeds; only where `gasLimits` asked for it, and if it succeeded. */
  sufficientGas: bigint | undefined
  /** What it returned or reverted with; the code if it created a contract. */
  output: Hex
  /** The contract that it created. */
  createdAddress: Address | undefined
  /** Why it failed; `undefined` if it succeeded. */
  error: OutcomeError | undefined
  /** The function that was called; `undefined` if it is not known. */
  function: DecodedItem | undefined
  /** What it returned, decoded. */
  returned: DecodedParameter[] | undefined
  logs: OutcomeLog[]
  /** Each call and creation, in the order in which they began, the call itself first. */
  frames: OutcomeFrame[]
  /** Every move of an asset, in the order in which they happened. */
  assetChanges: AssetChange[]
  /** The same by address, which are in the order of their first move. */
  balanceChanges: BalanceChange[]
  /** Who may spend what, where the call changed it. */
  approvals: ApprovalChange[]
  /** By address. Empty if nothing changed. */
  stateChanges: AccountChange[]
  /** What a transaction would list to find everything warm (EIP-2930). */
  accessList: AccessListItem[]
  fee: OutcomeFee
  /** The accounts with code that it touched, those that it called first. */
  contracts: TouchedContract[]
  /** What is left out because it exceeds a limit, in words: "names of contracts beyond the first 200". */
  truncated: string[]
}

export type DecodedParameter = {
  /** Empty if it has none. */
  name: string
  /** The Solidity type; those of tuples are `tuple`, `tuple[]`… */
  type: string
  /** The members of a tuple. */
  components?: readonly AbiParameter[] | undefined
  /** Of parameters of events. */
  indexed?: boolean | undefined
  /**
   * Integers in decimal, booleans as `true` and `false`, checksummed addresses, bytes as 0x-hex, strings unchanged. Arrays are
   * arrays of such values, tuples objects by their members' names, or arrays if they have none. An indexed value of dynamic
   * type is its hash.
   */
  value: Leaves
}

/** A function, event or error. */
export type DecodedItem = {
  name: string
  /** `transfer(address,uint256)`. */
  signature: string
  /** `undefined` if the data does not match the parameters. */
  args: DecodedParameter[] | undefined
}

export type OutcomeError = {
  /** `execution reverted`, or why it halted: `out of gas`, `invalid opcode`. */
  message: string
  /** The reason of a revert: the text of `Error(string)`, or the error with its arguments: `InsufficientBalance(5, 7)`. */
  reason: string | undefined
  /** The error that it reverted with, decoded. */
  decoded: DecodedItem | undefined
  /** What it reverted with. */
  data: Hex
  /** The contract in which it failed first. */
  address: Address
  /** Where it failed, innermost first, at most 50 locations; those whose sources are not known have no line. */
  stack: ErrorLocation[]
}

export type ErrorLocation = {
  address: Address
  contract: string | undefined
  file: string | undefined
  /** Counted from 1. */
  line: number | undefined
  function: string | undefined
  /** Why it failed; only of the innermost. */
  message: string | undefined
}

export type OutcomeLog = {
  address: Address
  topics: Word[]
  data: Hex
  /** The name of the contract. */
  contract: string | undefined
  /** `undefined` if it is not known. */
  event: DecodedItem | undefined
  /** The frame that emitted it, an index into `frames`. */
  frame: number
}

export type OutcomeFrame = {
  type: CallType
  from: Address
  /** The called or created address. */
  to: Address
  value: bigint
  gas: bigint
  gasUsed: bigint
  input: Hex
  output: Hex
  /** `execution reverted`, or why it halted. */
  error: string | undefined
  /** The reason of a revert. */
  reason: string | undefined
  /** The error that it reverted with, decoded. */
  revert: DecodedItem | undefined
  /** `reverted`: it succeeded, but an outer call reverted it. */
  status: 'succeeded' | 'failed' | 'reverted'
  /** The positions of it and of its callers among the calls of their caller: `[]` for the call itself. */
  traceAddress: number[]
  /** How many calls it made itself. */
  subtraces: number
  /** The name of the contract. */
  contract: string | undefined
  /** `constructor` of a creation; `undefined` if it is not known. */
  function: DecodedItem | undefined
  returned: DecodedParameter[] | undefined
}

export type AssetKind = 'native' | 'erc20' | 'erc721' | 'erc1155'

export type AssetChange = {
  kind: AssetKind
  /**
   * `mint` has no `from`, `burn` no `to`. Wrapping ether is a transfer of ether and a mint, unwrapping a burn and a transfer: these are
   * marked by `isWrap`.
   */
  type: 'transfer' | 'mint' | 'burn'
  /** `undefined` for ether. */
  token: Address | undefined
  from: Address | undefined
  to: Address | undefined
  /** In the smallest unit; 1 for an ERC-721. */
  amount: bigint
  /** The amount by the token's decimals: `1.5`; `undefined` where they are not known, and of ERC-721 and ERC-1155. */
  formatted: string | undefined
  /** Of ERC-721 and ERC-1155. */
  tokenId: bigint | undefined
  /** Minting or burning a token for ether. */
  isWrap: boolean
  /** No event or call tells of it: it is what a balance changed by beyond those. */
  inferred: boolean
  /** The frame in which it happened, an index into `frames`; `undefined` if it is inferred. */
  frame: number | undefined
}

/** What an address gained and lost. */
export type BalanceChange = {
  address: Address
  /** Indexes into `assetChanges`. */
  transfers: number[]
  assets: AssetTotal[]
}

/** Of one asset; of one id of an ERC-721 or ERC-1155. Fees are not part of it. */
export type AssetTotal = {
  kind: AssetKind
  token: Address | undefined
  tokenId: bigint | undefined
  in: bigint
  out: bigint
  /** `in` − `out`. */
  net: bigint
  /** `net` by the token's decimals. */
  formatted: string | undefined
}

/** An allowance that is other than before, or that was set once more. */
export type ApprovalChange = {
  kind: 'erc20' | 'erc721' | 'erc1155'
  /** `approveAll`: for all tokens of the owner (`setApprovalForAll`). */
  type: 'approve' | 'approveAll'
  /**
   * How it came about: a call of the owner, a signature (EIP-2612, DAI's permit), or Permit2, where `spender` may take tokens
   * that the owner has approved for Permit2 itself.
   */
  by: 'call' | 'permit' | 'permit2'
  token: Address
  owner: Address
  spender: Address
  /** What may be spent before the call; `undefined` if it is not known, and for ERC-721. */
  before: bigint | undefined
  /** What may be spent after the call: 0 if nothing is left. 1 and 0 for ERC-721 and `approveAll`. */
  amount: bigint
  /** `amount` by the token's decimals. */
  formatted: string | undefined
  /** At least 2^255 of an ERC-20, 2^160 − 1 of Permit2, or all tokens. */
  isUnlimited: boolean
  /** Of an approval of one ERC-721. */
  tokenId: bigint | undefined
  /** Seconds since 1970; only of Permit2. */
  expiration: bigint | undefined
}

/** What changed of an account. A field is `undefined` if it did not. */
export type AccountChange = {
  address: Address
  nonce: { before: bigint; after: bigint } | undefined
  balance: { before: bigint; after: bigint } | undefined
  code: { before: Hex; after: Hex } | undefined
  /** Its storage was cleared before it was written: it was created or destroyed. */
  isCleared: boolean
  /** The slots whose values differ, in their order. */
  storage: SlotChange[]
}

export type SlotChange = {
  slot: Word
  before: Word
  after: Word
  /** The variables of it that differ: several may share a slot. Empty where no layout is known. */
  variables: VariableChange[]
}

export type VariableChange = {
  /** `balances[0x…]`, `users[3].name`. */
  path: string
  /** The state variable that it is a part of: `balances`. */
  variable: string
  /** The type of the state variable, in Solidity's notation: `mapping(address => uint256)`. */
  variableType: string
  /** The keys, indexes and members that lead to it from the variable, in their order: `["0x…"]`. */
  keys: string[]
  /** Its own type: `uint256`. */
  type: string
  /** Bytes from the low end of the slot. */
  offset: number
  bytes: number
  /** In the notation of `DecodedParameter.value`; of long texts and bytes, the word of this slot. */
  before: string
  after: string
}

export type OutcomeFee = {
  /** Wei per gas: that of the call, or if it names none, the base fee and the suggested tip. */
  gasPrice: bigint
  baseFee: bigint
  /** `gasUsed` × `gasPrice`. */
  gas: bigint
  /** For blobs. */
  blobs: bigint
  /** What a rollup takes for its data on the layer below; `undefined` where there is none. */
  l1: bigint | undefined
  /** All together. */
  total: bigint
  /** Whether the sender paid it: the call named a price, or transactions' rules hold. */
  isCharged: boolean
}

export type TouchedContract = {
  address: Address
  name: string | undefined
  /** Where the name and the ABI are from: `import`, `manual`, `chain`, or the name of the explorer. */
  source: string | undefined
  /** `undefined` if it is not known. With the functions of the implementation of a proxy. */
  abi: readonly unknown[] | undefined
  /** What a proxy runs; empty if it is none. */
  implementations: Address[]
  /** The call created it. */
  isCreated: boolean
  /** Set if it moved as a token, or was approved. */
  token: TouchedToken | undefined
}

export type TouchedToken = {
  kind: Exclude<AssetKind, 'native'>
  name: string | undefined
  symbol: string | undefined
  /** `undefined` if it is not known; `undefined` of ERC-721 and ERC-1155. */
  decimals: number | undefined
  /**
   * What is wrong with it, in words: "symbol() used all of its gas", "its events say more than balanceOf". Empty for a
   * token as the standard has it.
   */
  problems: string[]
}
