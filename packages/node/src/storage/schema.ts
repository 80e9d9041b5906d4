import type { Generated } from 'kysely'
import { callTables } from './callTables.ts'
import { contractTables } from './contractTables.ts'

/** What a column of each type is here. Those that end with `?` may be null; the database, or the branch, numbers an `id`. */
type Types = {
  blob: Uint8Array
  'blob?': Uint8Array | null
  integer: number
  'integer?': number | null
  text: string
  'text?': string | null
  id: Generated<number>
}

/**
 * The tables, with their columns. Wei amounts and words are big-endian bytes without leading zeros; addresses, hashes and
 * slots are bytes. `seq` orders every change of the network: each sealed block and each direct write has its own. For each
 * key, the state at some time is the newest version up to a `seq`. Tables whose rows differ between branches also have the
 * column `branch`, which no statement names: see branches/networkCompiler.ts.
 */
export const schema = {
  ...callTables,
  ...contractTables,
  settings: { key: 'text', /** JSON. */ value: 'text' },
  /** The lease of the sealer: one row; times in milliseconds by the database's clock. See records/lease.ts. */
  lease: { term: 'integer', holder: 'text', url: 'text?', secret: 'text', expires_at: 'integer' },
  /** The number of the last transaction that changed a table; see `ChangeNotice` in tables.ts. */
  revisions: { name: 'text', revision: 'integer' },
  /** The fence of the writer, if several processes share a database: one row. See postgres/writer.ts. */
  writer: {
    /** The number of the writing process, greater than those of earlier ones. */
    fence: 'integer',
    /** The number of its last transaction. */
    commits: 'integer',
  },
  codes: { hash: 'blob', code: 'blob' },
  /** Whole local account records; a field of `null` is not local. */
  account_versions: {
    address: 'blob',
    seq: 'integer',
    balance: 'blob?',
    nonce: 'blob?',
    code_hash: 'blob?',
    /** Older slots are void, and untouched ones read zero, because the storage was cleared then. */
    storage_seq: 'integer?',
  },
  /** `null` means that the slot is not, or no longer, local. */
  slot_versions: {
    address: 'blob',
    slot: 'blob',
    seq: 'integer',
    value: 'blob?',
    /**
     * The transaction that wrote it last in its block. -1, or the number of transactions: the block itself, before or after
     * them. `null` if no block wrote it, and for values from before this was stored.
     */
    position: 'integer?',
  },
  /** Values that another write of the same block replaced; `position` as in `slot_versions`. */
  slot_writes: { address: 'blob', slot: 'blob', block_number: 'integer', position: 'integer', value: 'blob' },
  /** Why state changed without a block; times in milliseconds since 1970. See records/state/stateCauses.ts. */
  state_causes: { seq: 'integer', cause: 'text', at: 'integer' },
  /** The last revert that changed each slot, when it was, and the value before it: `null` if that was not local. */
  slot_reverts: { address: 'blob', slot: 'blob', seq: 'integer', value: 'blob?', at: 'integer' },
  blocks: {
    number: 'integer',
    hash: 'blob',
    seq: 'integer',
    base_number: 'integer',
    base_hash: 'blob',
    /** The upstream head from which followed state was read; `null` if nothing was followed. */
    live_number: 'integer?',
    live_hash: 'blob?',
    /** See ethereum/header.ts. */
    header: 'blob',
    size: 'integer',
    /** Its RLP, of forks that have it (EIP-7928). */
    access_list: 'blob?',
  },
  /** Runs of empty blocks, which are not in `blocks`. See records/chain/blockRuns.ts. */
  block_runs: {
    first_number: 'integer',
    last_number: 'integer',
    first_seq: 'integer',
    last_seq: 'integer',
    base_number: 'integer',
    base_hash: 'blob',
    live_number: 'integer?',
    live_hash: 'blob?',
    /** Of the first block. */
    header: 'blob',
    interval_seconds: 'integer',
    writes_beacon_roots: 'integer',
    writes_block_hashes: 'integer',
    /** 32 bytes of each block. */
    hashes: 'blob',
  },
  transactions: {
    /** Indexed, and in the rows of one network unique. */
    hash: 'blob',
    block_number: 'integer',
    position: 'integer',
    sender: 'blob',
    raw: 'blob',
    succeeded: 'integer',
    gas_used: 'integer',
    cumulative_gas_used: 'integer',
    effective_gas_price: 'blob',
    contract_address: 'blob?',
    blob_gas_price: 'blob?',
    /** JSON, of transactions that paid for their data. */
    l1_fees: 'text?',
    /** Of deposits. */
    deposit_nonce: 'blob?',
  },
  logs: {
    block_number: 'integer',
    position: 'integer',
    transaction_position: 'integer',
    address: 'blob',
    topic0: 'blob?',
    topic1: 'blob?',
    topic2: 'blob?',
    topic3: 'blob?',
    data: 'blob',
  },
  /** What users wrote about transactions. */
  transaction_notes: {
    hash: 'blob',
    /** `null` for a transaction of the live chain. */
    block_number: 'integer?',
    note: 'text',
    updated_at: 'integer',
  },
  /** Transactions of the live chain that ran here too; see records/chain/shadowedTransactions.ts. */
  shadowed_transactions: {
    /** The block of the live chain, and its own here. */
    block_number: 'integer',
    /** Its position in the live chain's block. */
    position: 'integer',
    hash: 'blob',
    kind: 'text',
    is_cascade: 'integer',
    sender: 'blob',
    target: 'blob?',
    selector: 'blob?',
    /** What differs, as JSON. */
    fields: 'text',
    /** JSON. */
    detail: 'text',
    /** What others of the live block had changed before it, of what it read; JSON, `null` if nothing. */
    before: 'text?',
  },
  /** Keys that are local because a shadowed transaction diverged, and which one. The slot of an account's fields is empty. */
  shadow_keys: { address: 'blob', slot: 'blob', block_number: 'integer', hash: 'blob' },
  /** What must hold after every block. */
  invariants: { number: 'id', id: 'text', name: 'text', /** JSON. */ definition: 'text' },
  /** Times in which an invariant did not hold: since a block, until another. */
  invariant_failures: {
    invariant: 'integer',
    block_number: 'integer',
    hash: 'blob?',
    left_value: 'text?',
    right_value: 'text?',
    error: 'text?',
    recovered_at: 'integer?',
    /** The slot that its transaction wrote, and that the check reads. */
    address: 'blob?',
    slot: 'blob?',
    /** The line that wrote it, as JSON. */
    location: 'text?',
    /** The branch that was made at its block. */
    made_branch: 'text?',
    /** 1 until its line was looked for and its branch was made. */
    is_open: 'integer?',
  },
  pending_transactions: { arrival: 'id', hash: 'blob', sender: 'blob', raw: 'blob' },
  /** The newest blobs that transactions were sent with, by versioned hash. */
  blobs: { position: 'id', hash: 'blob', data: 'blob' },
  /** Followed keys, from one change until another. */
  follows: {
    address: 'blob',
    /** Empty for a whole account. */
    slot: 'blob',
    from_seq: 'integer',
    until_seq: 'integer?',
  },
  /** For which token balances slots are followed: the slot of each, which may be another contract's. */
  followed_balances: {
    token: 'blob',
    holder: 'blob',
    address: 'blob',
    slot: 'blob',
    from_seq: 'integer',
    until_seq: 'integer?',
  },
  /** Transactions that waited at snapshots, from the first to the last of those; see records/chain/snapshotTransactions.ts. */
  snapshot_transactions: {
    first_snapshot: 'integer',
    /** Orders those that were new at the first snapshot. */
    position: 'integer',
    last_snapshot: 'integer',
    hash: 'blob',
    sender: 'blob',
    raw: 'blob',
  },
  snapshots: { id: 'integer', block_number: 'integer', seq: 'integer', /** JSON. */ settings: 'text' },
  /** Reverts of the network to a block; each is a change. */
  rewinds: { seq: 'integer', block_number: 'integer' },
  impersonated_accounts: { address: 'blob' },
  function_overrides: {
    /** Increases in the order of insertion. */
    position: 'id',
    id: 'text',
    address: 'blob',
    selector: 'blob',
    /** `null` for any inputs. */
    inputs: 'blob?',
    output: 'blob',
    enabled: 'integer',
    function_abi: 'text',
    /** JSON. */
    input_params: 'text?',
    /** JSON. */
    return_values: 'text',
    created_at: 'integer',
  },
  /** The results of each enabled override, from one change of the network until another. */
  override_spans: {
    position: 'id',
    address: 'blob',
    selector: 'blob',
    /** `null` for any inputs. */
    inputs: 'blob?',
    output: 'blob',
    from_seq: 'integer',
    until_seq: 'integer?',
  },
  tracked_items: {
    number: 'id',
    id: 'text',
    address: 'blob',
    name: 'text',
    type: 'text',
    function_abi: 'text?',
    function_args: 'text?',
    function_output_path: 'text?',
    record_trigger: 'text',
    tracking_frequency: 'integer?',
    /** JSON. */
    tags: 'text',
    created_at: 'integer',
    /** See records/tracking/trackedItems.ts, and records/tracking/trackedSamples.ts for the samples. */
    anchor: 'integer?',
    last_error: 'text?',
  },
  tracked_samples: {
    item: 'integer',
    block_number: 'integer',
    position: 'integer',
    timestamp: 'integer',
    kind: 'text',
    value: 'text',
  },
  /** The transactions after which items were recorded: a run in `tracked_samples` has an entry for each. */
  tracked_transactions: { block_number: 'integer', position: 'integer', hash: 'blob', timestamp: 'integer' },
  /** Branches of the network, and those that were removed while others still read their rows. See branches/. */
  branches: {
    number: 'id',
    /** `null` if it was removed. */
    id: 'text?',
    /** `null` if it was removed. */
    name: 'text?',
    /** Its name for people; `null` if it has none. */
    label: 'text?',
    /** The number of the branch that it left; 0 for the network. */
    parent: 'integer',
    /** The block at which it left it. */
    block_number: 'integer',
    /** JSON: whose rows it reads besides its own; see branches/layers.ts. */
    layers: 'text',
    /** Milliseconds since 1970. */
    created_at: 'integer',
    /** Milliseconds since 1970; `null` if it stays until it is removed. */
    expires_at: 'integer?',
    /** 1 if it ends with the process. */
    is_ephemeral: 'integer',
  },
  /** Fetched upstream state; see records/upstream/upstreamCache.ts. */
  upstream_values: {
    address: 'blob',
    /** A slot's key, or one byte: 0 for the balance, 1 for the nonce, 2 for the hash of the code. */
    field: 'blob',
    first_block: 'integer',
    /** `null` if it held at the end of its generation. */
    last_block: 'integer?',
    generation: 'integer',
    value: 'blob',
  },
  upstream_codes: { hash: 'blob', code: 'blob' },
  /** What contracts without code answered on the live chain at a block; see records/upstream/liveAnswers.ts. */
  live_answers: {
    block_hash: 'blob',
    block_number: 'integer',
    /** The hash of the contract's address and the input. */
    key: 'blob',
    output: 'blob',
    /** 1 if the contract reverted. */
    is_reverted: 'integer',
  },
  /** Simulations that callers saved; see records/simulations.ts. */
  simulations: {
    number: 'id',
    id: 'text',
    /** Identifies the key that saved it; `null` without keys. */
    owner: 'text?',
    created_at: 'integer',
    is_shared: 'integer',
    /** JSON: what lists show. */
    summary: 'text',
    /** JSON, compressed with gzip. */
    content: 'blob',
    /** What the row takes, in bytes. */
    size: 'integer',
  },
  /** Calls by callers with the role admin. See records/auditEntries.ts. */
  audit_entries: {
    id: 'id',
    at: 'integer',
    key: 'text?',
    method: 'text',
    params: 'text',
    error: 'text?',
  },
} as const satisfies Record<string, Record<string, keyof Types>>

type Schema = typeof schema
export type TableName = keyof Schema
export type Tables = {
  [Name in TableName]: { -readonly [Column in keyof Schema[Name]]: Types[Schema[Name][Column] & keyof Types] }
}
