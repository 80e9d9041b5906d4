/** A `0x`-prefixed lowercase hex string. */
export type Hex = `0x${string}`
/** 20 bytes, lowercase hex. */
export type Address = Hex
/** 32 bytes, lowercase hex: a storage key or a hash. */
export type Word = Hex

/** The forks that the engine runs, oldest first. */
export const forks = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const
export type Fork = (typeof forks)[number]

/** What the block opcodes answer. Amounts in wei, time in seconds. */
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
  /** Precompiles by their numbers where they usually are not, at most 32; 0: none is at that address. */
  precompiles?: ReadonlyMap<Address, number>
}

export type AccessListItem = { address: Address; storageKeys: readonly Word[] }

/** An EIP-7702 authorization; `authority` is the recovered signer, `undefined` when the signature is not valid. */
export type Authorization = { chainId: bigint; address: Address; nonce: bigint; authority: Address | undefined }

export type Message = {
  from: Address
  /** `undefined` creates a contract. */
  to: Address | undefined
  value: bigint
  data: Uint8Array
  gasLimit: bigint
  /** Wei per gas that the sender pays in the end (base fee included). */
  gasPrice: bigint
  /** The most that the sender offers per gas; `gasPrice` when `undefined`. The balance must cover it. */
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  /** Must equal the sender's nonce in a transaction; `undefined` takes the account's. */
  nonce?: bigint
  accessList?: readonly AccessListItem[]
  maxFeePerBlobGas?: bigint
  blobVersionedHashes?: readonly Word[]
  authorizationList?: readonly Authorization[]
  /** EIP-3607 is not held against the sender: on a test network, a contract that is impersonated sends too. */
  senderMayHaveCode?: boolean
}

/**
 * How a message runs.
 * - `transaction`: every rule of the protocol: nonce, balance, fees, EIP-3607, intrinsic and floor gas, refunds.
 * - `call`: as geth's `eth_call`: intrinsic gas counts; nonce and EIP-3607 are not checked; fees are paid at `gasPrice` only when it is not zero.
 * - `system`: a call by the protocol itself (EIP-4788, EIP-2935…): no intrinsic gas, no fees, no nonce change.
 */
export type MessageKind = 'transaction' | 'call' | 'system'

/** An account without its code. `codeHash` is the keccak of the empty string when there is none. */
export type Account = { balance: bigint; nonce: bigint; codeHash: Word }

/**
 * The state that a message runs on. Every read is answered at once: `undefined` means «not loaded», and the engine reports it as missing.
 * An account that does not exist has balance 0, nonce 0 and the hash of the empty code.
 */
export type StateView = {
  /** Views with the same identity answer alike: the engine may keep what it read from one for the other. */
  readonly identity: object
  account(address: Address): Account | undefined
  /** The code of an account that is loaded. */
  code(address: Address, codeHash: Word): Uint8Array | undefined
  storage(address: Address, slot: Word): bigint | undefined
  /** The hash of one of the 256 blocks before the current one. */
  blockHash(number: bigint): Word | undefined
  /** Whether an account without code and nonce has storage all the same, so that nothing may be created there (EIP-7610). Taken for no when absent. */
  hasStorage?(address: Address): boolean
}

/** Functions whose results are replaced; see `RunOptions.overrides`. */
export type OverrideTable = {
  /** Called addresses and their 4-byte selectors (`0x` + 8 hex digits). A new table object replaces the old one whole. */
  readonly targets: Iterable<readonly [Address, Hex]>
  /** Asked after a matching frame succeeded. `undefined` leaves the result as it is. */
  resolve(address: Address, input: Uint8Array, output: Uint8Array): Uint8Array | undefined
}

export type RunOptions = {
  kind: MessageKind
  /** Replaces the return data of CALL, STATICCALL and top-level frames that succeed, by called address and selector. */
  overrides?: OverrideTable
  /** Collects the inputs of KECCAK256 that are 64 bytes long (mapping keys), by hash. */
  preimages?: boolean
  /** What of the result is read before the run ends, so that it can give way there too. The rest is read at once when it is first looked at. */
  reads?: readonly ('logs' | 'diff' | 'readSet' | 'frames' | 'preimages')[]
  /** Told of every operation, in order, once its cost is known. Such a run is much slower. What it throws ends the run. */
  onStep?(step: Step): void
  /** Which operations `onStep` is told of, and how much of each: copying costs most of the time. */
  steps?: StepOptions
}

/** How `Engine.start` runs a message. */
export type StartOptions = RunOptions & {
  /** Asked now and then while code runs, every few milliseconds at least. `true` pauses the run. */
  shouldPause?(): boolean
}

/** How `Engine.output` runs a call. */
export type OutputOptions = Pick<StartOptions, 'overrides' | 'shouldPause'>

export type StepOptions = {
  /** Only these, and whatever fails; every operation when `undefined`. */
  operations?: ReadonlySet<number>
  /** `false` leaves `stack` empty. */
  stack?: boolean
  /** `false` leaves `memory` empty. */
  memory?: boolean
  /** `true` copies the return data. */
  returnData?: boolean
}

/** One operation, as it was about to run. */
export type Step = {
  pc: number
  op: number
  name: string
  /** Gas left before it. */
  gas: bigint
  /** What it took, gas given to a call included. */
  cost: bigint
  /** Gas to be given back so far. */
  refund: bigint
  /** 0 for the message itself. */
  depth: number
  /** The account whose storage the frame uses. */
  address: Address
  /** The deepest word first. */
  stack: bigint[]
  memory: Uint8Array
  /** What the last call of the frame returned, when it was asked for. */
  returnData: Uint8Array
  /** Why the frame ended with it; `undefined` when it went on or ended well. */
  error: HaltReason | 'revert' | undefined
}

/** Fields of accounts whose value changed, and every slot that was written. Frames that were reverted leave nothing here. */
export type StateDiff = {
  /** Only the fields whose value differs from that before the run. */
  accounts: Map<Address, { balance?: bigint; nonce?: bigint; code?: Uint8Array }>
  /** Accounts whose storage was emptied before the writes in `slots`: created or destroyed. */
  cleared: Set<Address>
  /** Every slot that SSTORE wrote, also with the value that it had. */
  slots: Map<Address, Map<Word, bigint>>
}

/** What a result depends on. */
export type ReadSet = {
  accounts: Set<Address>
  slots: Map<Address, Set<Word>>
  blockHashes: Set<bigint>
  /** The block's own values that were read. */
  environment: Set<'number' | 'timestamp' | 'coinbase' | 'gasLimit' | 'baseFee' | 'prevRandao' | 'blobBaseFee'>
  /** Whether code read the gas price or the balance of an account (GASPRICE, BALANCE, EXTCODEHASH). Frames tell of other uses of a balance. */
  fees: boolean
}

export type Log = { address: Address; topics: Word[]; data: Uint8Array }

export type CallType = 'CALL' | 'STATICCALL' | 'DELEGATECALL' | 'CALLCODE' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'

/** One call or create, in the order of entry. The first is the message itself. */
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
  /** `undefined` when it succeeded. */
  error: HaltReason | 'revert' | undefined
  /** Its logs, as a range of indexes into the result's logs (of frames that lived); `[start, end)`, inner frames included. */
  logs: readonly [start: number, end: number]
}

/** Why a frame stopped with all its gas gone. */
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

export type Done = {
  type: 'done'
  status: 'success' | 'revert' | 'halt'
  /** Set when `status` is `halt`. */
  halt: HaltReason | undefined
  /** Gas paid for, after refunds and the EIP-7623 floor. */
  gasUsed: bigint
  /** Gas given back (already taken off `gasUsed`). */
  gasRefund: bigint
  /** Return data, revert data, or the code of a created contract. */
  output: Uint8Array
  /** Set when the message created a contract and succeeded. */
  createdAddress: Address | undefined
  logs: Log[]
  diff: StateDiff
  readSet: ReadSet
  frames: CallFrame[]
  /** More calls than there is room for were made: `frames`, or inputs and outputs in it, are not whole. */
  framesTruncated?: boolean
  preimages: Map<Word, Uint8Array> | undefined
}

/** What the view lacked. The engine went on with zeros to find as much of it as it could; nothing else of that pass is kept. */
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
}

/** The message may not run at all in this block. Nothing was changed. */
export type Rejected = { type: 'rejected'; reason: RejectReason; details: Record<string, bigint | string> }

export type RejectReason =
  | 'NONCE_TOO_LOW'
  | 'NONCE_TOO_HIGH'
  | 'NONCE_MAX'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'GAS_LIMIT_EXCEEDS_BLOCK'
  | 'GAS_LIMIT_EXCEEDS_CAP'
  | 'FEE_CAP_BELOW_BASE_FEE'
  | 'TIP_ABOVE_FEE_CAP'
  | 'SENDER_HAS_CODE'
  | 'INITCODE_TOO_LARGE'
  | 'BLOB_FEE_CAP_TOO_LOW'
  | 'BLOB_LIST_INVALID'
  | 'AUTHORIZATION_LIST_INVALID'
  | 'TYPE_NOT_SUPPORTED'

export type RunResult = Done | Missing | Rejected

/** A run that gave way before its end. It keeps its engine: nothing else runs there before it has ended or is abandoned. */
export type PausedRun = {
  type: 'paused'
  /** Goes on where the run was. Once for each time that it was paused. */
  resume(): RunResult | PausedRun
  /** Ends the run without a result. The engine is as it was before the run. Does nothing when the run has ended. */
  abandon(): void
}

/** An execution engine. It fetches nothing: it runs on what the view holds and reports what it lacks. */
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
  /** Says that the state `to` is the state `from` plus `diff`, so that what is resident may be kept. While a run is paused, what it says holds from the end of that run. */
  advance(from: object, to: object, diff: StateDiff): void
}
