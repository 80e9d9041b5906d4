import type { Prices } from './gas/prices.ts'
import type { CoverageSink } from './observers/coverageSink.ts'
import type { SavableRun, SavingOptions } from './observers/savedRun.ts'
import type { StepDigest } from './observers/stepDigest.ts'
import type { Rejected } from './validation/rejection.ts'

/** A `0x`-prefixed lowercase hex string. */
export type Hex = `0x${string}`
/** 20 bytes, lowercase hex. */
export type Address = Hex
/** 32 bytes, lowercase hex: a storage key or a hash. */
export type Word = Hex

/** The supported forks, oldest first. */
export const forks = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'] as const
export type Fork = (typeof forks)[number]

/** The values of block opcodes. Amounts in wei, time in seconds. */
export type BlockContext = {
  chainId: bigint
  fork: Fork
  number: bigint
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  /** Wei per gas; 0 before London. */
  baseFee: bigint
  /** PREVRANDAO; the difficulty before Paris. */
  prevRandao: bigint
  /** Wei per blob gas; 0 before Cancun. */
  blobBaseFee: bigint
  /** The number of the beacon chain's slot (EIP-7843); default: 0. */
  slotNumber?: bigint
  /**
   * Moved precompiles, at most 50: precompile numbers by address; 0 means that there is none at that address, and
   * `hostedContract` that `contracts` answers.
   */
  precompiles?: ReadonlyMap<Address, number>
  /** How the addresses of further contracts begin that `contracts` answers, as hex of whole bytes. They count as moved ones. */
  hostedPrefixes?: readonly Hex[]
  /** Those that the chain itself has moved, if a call moves more: their addresses are always warm. Default: `precompiles`. */
  chainPrecompiles?: ReadonlyMap<Address, number>
  /** Limits that are not those of the fork. */
  limits?: BlockLimits
  /** Prices that are not those of the fork. */
  prices?: Partial<Prices>
  /** Addresses that ECRECOVER returns for signatures, whatever they sign: r, s and v (one byte) as lowercase hex. */
  signatures?: ReadonlyMap<Hex, Address>
  /** Runs the chain's own contracts that have no code. */
  contracts?: HostedContracts
  /**
   * Rollups: what a transaction pays beside its gas, by the state before it. `read` is its reader of slots; one that is
   * missing reads as zero, and the message runs again.
   */
  surcharge?(message: Message, read: (address: Address, slot: Word) => bigint): Surcharge | undefined
  /** Rollups: what NUMBER answers, and where BLOCKHASH reads a hash, if these are of the layer below. */
  l1?: { number: bigint; hashSlot(number: bigint): readonly [Address, Word] }
}

/** Limits of a block that are other than its fork's; without a field, it is the fork's. */
export type BlockLimits = {
  /** Maximum length of code, in bytes (EIP-170); twice as much for init code (EIP-3860). */
  codeSize?: number
  /** A transaction may have more gas than EIP-7825 allows. */
  noTransactionGasCap?: true
  /** A transaction may have more gas than its block. */
  noBlockGasLimit?: true
}

/** What a transaction pays beside its gas, in wei: taken before it runs, and given back in part after it. */
export type Surcharge = { upfront: bigint; final(gasUsed: bigint): bigint }

/** A call of a contract that the host runs. */
export type ContractCall = {
  address: Address
  caller: Address
  /** The caller of the frame that calls; the zero address in the message itself. */
  callersCaller: Address
  value: bigint
  input: Uint8Array
  /** 0 for the message itself. */
  depth: number
  /** It may change nothing. */
  isStatic: boolean
  /** It runs in the name of another account (DELEGATECALL, CALLCODE). */
  isDelegated: boolean
}

export type ContractAnswer = {
  gas: bigint
  output: Uint8Array
  /** Its changes and logs are undone. */
  isReverted?: boolean
  /** It fails as a precompile does: all gas of the call is gone. */
  isFailed?: boolean
  logs?: readonly { topics: readonly Word[]; data: Uint8Array }[]
}

/** What a contract that the host runs may read and do. What is missing reads as zero, and the message runs again. */
export type ContractState = {
  balance(address: Address): bigint
  /** As it was before the message. */
  code(address: Address): Uint8Array
  /** A slot of its own. */
  slot(key: Word): bigint
  setSlot(key: Word, value: bigint): void
  /** Takes wei off its balance. */
  burn(wei: bigint): void
  /** Moves wei between any two accounts, and answers whether there was as much. */
  transfer(from: Address, to: Address, wei: bigint): boolean
  /** The hash of one of the 256 blocks before the current one. */
  blockHash(number: bigint): Word
  /** What a contract of the live chain answers to an input, by default the same; nothing where no chain is forked. */
  live(input: Uint8Array, address?: Address): Pick<ContractAnswer, 'output' | 'isReverted'>
}

export type HostedContracts = (call: ContractCall, state: ContractState) => ContractAnswer

export type AccessListItem = { address: Address; storageKeys: readonly Word[] }

/** An EIP-7702 authorization; `authority` is the recovered signer, `undefined` if the signature is invalid. */
export type Authorization = { chainId: bigint; address: Address; nonce: bigint; authority: Address | undefined }

export type Message = {
  from: Address
  /** `undefined` for a contract creation. */
  to: Address | undefined
  value: bigint
  data: Uint8Array
  gasLimit: bigint
  /** The price that the sender pays in wei per gas (including the base fee). */
  gasPrice: bigint
  /** The maximum price that the sender offers, which its balance must cover; default: `gasPrice`. */
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  /** In a transaction, must equal the sender's nonce; default: the account's. */
  nonce?: bigint
  accessList?: readonly AccessListItem[]
  maxFeePerBlobGas?: bigint
  blobVersionedHashes?: readonly Word[]
  authorizationList?: readonly Authorization[]
  /**
   * Set for a deposit (OP Stack): what its sender is given before it runs, in wei. A deposit pays for nothing and has no nonce,
   * its sender may have code, and it runs in any case: what makes others invalid makes it fail, without gas left.
   */
  mint?: bigint
  /** Its EIP-2718 encoding, for blocks with a `surcharge`. */
  encoded?: Hex
  /** Skips EIP-3607's check of the sender: on a test network, impersonated contracts can send too. */
  senderMayHaveCode?: boolean
  /**
   * The sender cannot be read: a call that pays nothing and creates nothing runs without its balance and nonce, as long as
   * code does not ask for them.
   */
  senderIsUnread?: boolean
  /** Skips EIP-7825's cap of a transaction's gas, as simulations do. */
  gasMayExceedCap?: boolean
}

/**
 * How a message runs.
 * - `transaction`: all rules of the protocol: nonce, balance, fees, EIP-3607, intrinsic and floor gas, refunds.
 * - `call`: like geth's `eth_call`: intrinsic gas counts; nonce and EIP-3607 are not checked; fees are paid only if
 * `gasPrice` is not zero.
 * - `system`: a call by the protocol itself (EIP-4788, EIP-2935…): no intrinsic gas, no fees, no nonce change.
 */
export type MessageKind = 'transaction' | 'call' | 'system'

/** An account without its code. `codeHash` is the keccak of the empty string if there is none. */
export type Account = { balance: bigint; nonce: bigint; codeHash: Word }

/**
 * The state that a message runs on. Reads are synchronous: `undefined` means not loaded, and the engine reports the key
 * as missing. An account that does not exist has balance 0, nonce 0 and the hash of the empty code.
 */
export type StateView = {
  /** Views with the same identity have the same state: the engine can use values read from one for the other. */
  readonly identity: object
  account(address: Address): Account | undefined
  /** The code of an account that is loaded. */
  code(address: Address, codeHash: Word): Uint8Array | undefined
  storage(address: Address, slot: Word): bigint | undefined
  /** The hash of one of the 256 blocks before the current one. */
  blockHash(number: bigint): Word | undefined
  /** Whether an account without code and nonce has storage, which prevents creations there (EIP-7610). Default: no. */
  hasStorage?(address: Address): boolean
  /** What a contract of the live chain answers, at the block that is below this state. Absent if no chain is. */
  liveAnswer?(address: Address, input: Hex): Pick<ContractAnswer, 'output' | 'isReverted'> | undefined
}

/** Functions whose results are replaced; see `RunOptions.overrides`. */
export type OverrideTable = {
  /** Called addresses and their 4-byte selectors (`0x` + 8 hex digits). A new table object replaces the old table. */
  readonly targets: Iterable<readonly [Address, Hex]>
  /** Called after a matching frame succeeded. `undefined` keeps the result. */
  resolve(address: Address, input: Uint8Array, output: Uint8Array): Uint8Array | undefined
}

export type RunOptions = {
  kind: MessageKind
  /** Regular gas of a call has the cap of a transaction's (EIP-8037), as an estimate needs it. */
  capsGas?: boolean
  /** Replaces the return data of successful CALL, STATICCALL and top-level frames, by called address and selector. */
  overrides?: OverrideTable
  /** Is told what the run reaches, if it ends with a result. Runs of operations (`onStep`) are not told of. */
  coverage?: CoverageSink | undefined
  /** Collects the inputs of KECCAK256 that are 64 bytes long (mapping keys), by hash. */
  preimages?: boolean
  /**
   * The parts of the result to read before the run ends, so that reading can pause too. Other parts are read
   * synchronously on access.
   */
  reads?: readonly ('logs' | 'diff' | 'readSet' | 'frames' | 'preimages')[]
  /** Called for every operation, in order, once its cost is known. Such a run is much slower. An exception ends it. */
  onStep?(step: Step): void
  /** The operations and data that `onStep` receives: copying takes most of the time. */
  steps?: StepOptions
}

/** How `Engine.start` runs a message. */
export type StartOptions = RunOptions & {
  /** Called regularly while code runs, at least every few milliseconds. `true` pauses the run. */
  shouldPause?(): boolean
}

/** How `Engine.output` runs a call. */
export type OutputOptions = Pick<StartOptions, 'overrides' | 'coverage' | 'shouldPause'>

export type StepOptions = SavingOptions & {
  /** Only these operations, and failing ones; default: all. */
  operations?: ReadonlySet<number>
  /** `false` leaves `stack` empty; a set fills it only for these operations, and failing ones. */
  stack?: boolean | ReadonlySet<number>
  /** At most so many words of `stack`, the top ones; default: all. */
  words?: number
  /** `false` leaves `memory` empty; a set fills it only for these operations. */
  memory?: boolean | ReadonlySet<number>
  /** `true` copies the return data. */
  returnData?: boolean
  /**
   * Asked for each operation that is told of, with the bytes of its stack, memory and return data: `false` leaves these
   * empty.
   */
  isWhole?(number: number, bytes: number): boolean
  /** Tells only of those from this one on, counted from 0. Those before it run almost as fast as without `onStep`. */
  from?: number
  /** How many it tells of at most. */
  count?: number
  /** Asked now and then, at least every few milliseconds: `true` ends the run, whose result is of no use then. */
  isEnough?(): boolean
  /** Hashes all operations instead, and tells only of some, which runs almost as fast as without `onStep`. */
  digest?: StepDigest
}

/** One operation, just before it runs. */
export type Step = {
  /** How many operations of the message were before it. */
  number: number
  pc: number
  op: number
  name: string
  /** Gas left before it. */
  gas: bigint
  /** Its gas cost, including gas passed to a call. */
  cost: bigint
  /** The refund counter. */
  refund: bigint
  /** 0 for the message itself. */
  depth: number
  /** The account whose storage the frame uses. */
  address: Address
  /** Deepest word first. */
  stack: bigint[]
  /** How many words the stack has. */
  stackSize: number
  memory: Uint8Array
  /** The bytes of memory before it, also when they are not copied. */
  memorySize: number
  /** The return data of the frame's last call, if requested. */
  returnData: Uint8Array
  /** Why the frame ended with it; `undefined` if it continued or succeeded. */
  error: HaltReason | 'revert' | undefined
}

/** Changed fields of accounts, and every slot that was written. Reverted frames have no effect. */
export type StateDiff = {
  /** Only fields that differ from their value before the run. */
  accounts: Map<Address, { balance?: bigint; nonce?: bigint; code?: Uint8Array }>
  /** Accounts whose storage was cleared before the writes in `slots`: created or destroyed. */
  cleared: Set<Address>
  /** Every slot that SSTORE wrote, even with its old value. */
  slots: Map<Address, Map<Word, bigint>>
}

/** What a result depends on. */
export type ReadSet = {
  accounts: Set<Address>
  slots: Map<Address, Set<Word>>
  blockHashes: Set<bigint>
  /** The block's own values that were read. */
  environment: Set<
    'number' | 'timestamp' | 'coinbase' | 'gasLimit' | 'baseFee' | 'prevRandao' | 'blobBaseFee' | 'slotNumber'
  >
  /**
   * Whether code read the gas price or the balance of an account (GASPRICE, BALANCE, EXTCODEHASH). Frames show other
   * uses of a balance.
   */
  fees: boolean
}

export type Log = { address: Address; topics: Word[]; data: Uint8Array }

export type CallType = 'CALL' | 'STATICCALL' | 'DELEGATECALL' | 'CALLCODE' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** One call or creation, in execution order. The first is the message itself. */
export type CallFrame = {
  type: CallType
  /** 0 for the message itself. */
  depth: number
  from: Address
  /** The called or created address. */
  to: Address
  value: bigint
  gas: bigint
  gasUsed: bigint
  input: Uint8Array
  output: Uint8Array
  /** `undefined` if it succeeded. */
  error: HaltReason | 'revert' | undefined
  /** Its logs, as a range `[start, end)` of the result's logs (of successful frames), including inner frames. */
  logs: readonly [start: number, end: number]
  /** How many logs its failure undid: its own, and those of successful inner frames. */
  undoneLogs: number
}

/** Why a frame failed with all of its gas. */
export type HaltReason =
  | 'out of gas'
  | 'stack underflow'
  | 'stack overflow'
  | 'invalid jump'
  | 'invalid opcode'
  | 'write protection'
  | 'return data out of bounds'
  | 'call depth exceeded'
  | 'insufficient balance'
  | 'contract address collision'
  | 'max code size exceeded'
  | 'max initcode size exceeded'
  | 'invalid code: must not begin with 0xef'
  | 'contract creation code storage out of gas'
  | 'nonce overflow'
  | 'precompile failed'

/** Gas in the dimensions of EIP-8037. A block is full when one of them has reached its limit. */
export type BlockGas = { regular: bigint; state: bigint }

export type Done = {
  type: 'done'
  status: 'success' | 'revert' | 'halt'
  /** Set if `status` is `halt`. */
  halt: HaltReason | undefined
  /** Gas paid for, after refunds and the EIP-7623 floor. */
  gasUsed: bigint
  /** The refund (already deducted from `gasUsed`). */
  gasRefund: bigint
  /** What it paid beside its gas (`BlockContext.surcharge`), in wei. */
  surcharge: bigint
  /** What the message counts in its block: `gasUsed`, and from Amsterdam on both dimensions without refunds (EIP-7778, EIP-8037). */
  blockGas: BlockGas
  /** Return data, revert data, or the code of a created contract. */
  output: Uint8Array
  /** Set if the message created a contract and succeeded. */
  createdAddress: Address | undefined
  logs: Log[]
  diff: StateDiff
  readSet: ReadSet
  frames: CallFrame[]
  /** There were more calls than fit: `frames`, or their inputs and outputs, are incomplete. */
  framesTruncated?: boolean
  /** The first calls of `console.log` of Hardhat and forge-std, those that were reverted too. Quick if there are none. */
  consoleCalls?(limit: number): { from: Address; input: Uint8Array }[]
  preimages: Map<Word, Uint8Array> | undefined
}

/**
 * The missing keys of the view. The engine continued with zeros to find as many as possible; the rest of that pass is
 * discarded.
 */
export type Missing = Required<MissingKeys> & {
  type: 'missing'
  /** The first missing key. The run certainly needs it; later ones may turn out to be unused. */
  first: MissingKeys
}

export type MissingKeys = {
  accounts?: Address[]
  codes?: Address[]
  slots?: (readonly [Address, Word])[]
  blockHashes?: bigint[]
  /** Calls of contracts of the live chain, and their inputs. */
  calls?: (readonly [Address, Hex])[]
}

export type RunResult = Done | Missing | Rejected

/** A paused run. It occupies its engine until it has ended or is abandoned. */
export type PausedRun = SavableRun & {
  type: 'paused'
  /** Continues the run. Call it once per pause. */
  resume(): RunResult | PausedRun
  /** Ends the run without a result. The engine is as before the run. Does nothing if the run has ended. */
  abandon(): void
}

/** What differs between two states. `cleared`: accounts whose whole storage may differ. */
export type ReplacedKeys = { accounts: Set<Address>; cleared: Set<Address>; slots: Map<Address, Set<Word>> }

/** An execution engine. It never fetches: it runs on the view and reports missing keys. */
export type Engine = {
  /** Runs a message to its end. */
  run(message: Message, block: BlockContext, view: StateView, options: RunOptions): RunResult
  /**
   * Runs a call for what it returns alone, without anything else of a result. `undefined` unless it succeeds on what the view
   * holds before `shouldPause` answers `true`: `start` says why.
   */
  output(message: Message, block: BlockContext, view: StateView, options: OutputOptions): Uint8Array | undefined
  /** Runs a message until it ends or `shouldPause` answers `true`. */
  start(message: Message, block: BlockContext, view: StateView, options: StartOptions): RunResult | PausedRun
  /**
   * Declares that the state `to` is `from` plus `diff`, so that resident state can be kept. During a paused run, it
   * takes effect at the end of that run.
   */
  advance(from: object, to: object, diff: StateDiff): void
  /** The same where `to` differs from `from` in these keys, by values that the view has: they are read again. */
  retreat(from: object, to: object, keys: ReplacedKeys): void
}
