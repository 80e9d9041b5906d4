import type { Generated } from 'kysely'
import type { CallTables } from './callTables.ts'
import type { ContractTables } from './contractTables.ts'

/**
 * The tables. Wei amounts and words are big-endian bytes without leading zeros; addresses, hashes and slots are bytes.
 * `seq` orders every change of the network: each sealed block and each direct write has its own. For each key, the
 * state at some time is the newest version up to a `seq`.
 */
export type Tables = CallTables &
  ContractTables & {
    settings: { key: string /** JSON. */; value: string }
    /** The lease of the sealer: one row; times in milliseconds by the database's clock. See records/lease.ts. */
    lease: { term: number; holder: string; url: string | null; secret: string; expires_at: number }
    /** The number of the last transaction that changed a table; see storage/changeNotice.ts. */
    revisions: { name: string; revision: number }
    /** The fence of the writer, if several processes share a database: one row. See postgres/writer.ts. */
    writer: {
      /** The number of the writing process, greater than those of earlier ones. */
      fence: number
      /** The number of its last transaction. */
      commits: number
    }
    codes: { hash: Uint8Array; code: Uint8Array }
    /** Whole local account records; a field of `null` is not local. */
    account_versions: {
      address: Uint8Array
      seq: number
      balance: Uint8Array | null
      nonce: Uint8Array | null
      code_hash: Uint8Array | null
      /** Older slots are void, and untouched ones read zero, because the storage was cleared then. */
      storage_seq: number | null
    }
    /** `null` means that the slot is not, or no longer, local. */
    slot_versions: {
      address: Uint8Array
      slot: Uint8Array
      seq: number
      value: Uint8Array | null
      /**
       * The transaction that wrote it last in its block. -1, or the number of transactions: the block itself, before or after
       * them. `null` if no block wrote it, and for values from before this was stored.
       */
      position: number | null
    }
    /** Values that another write of the same block replaced; `position` as in `slot_versions`. */
    slot_writes: { address: Uint8Array; slot: Uint8Array; block_number: number; position: number; value: Uint8Array }
    /** Why state changed without a block; times in milliseconds since 1970. See records/state/stateCauses.ts. */
    state_causes: { seq: number; cause: string; at: number }
    /** The last revert that changed each slot, when it was, and the value before it: `null` if that was not local. */
    slot_reverts: { address: Uint8Array; slot: Uint8Array; seq: number; value: Uint8Array | null; at: number }
    blocks: {
      number: number
      hash: Uint8Array
      seq: number
      base_number: number
      base_hash: Uint8Array
      /** The upstream head from which followed state was read; `null` if nothing was followed. */
      live_number: number | null
      live_hash: Uint8Array | null
      /** See ethereum/header.ts. */
      header: Uint8Array
      size: number
      /** Its RLP, of forks that have it (EIP-7928). */
      access_list: Uint8Array | null
    }
    /** Runs of empty blocks, which are not in `blocks`. See ethereum/emptyBlocks/blockRun.ts and records/chain/blockRuns.ts. */
    block_runs: {
      first_number: number
      last_number: number
      first_seq: number
      last_seq: number
      base_number: number
      base_hash: Uint8Array
      live_number: number | null
      live_hash: Uint8Array | null
      /** Of the first block. */
      header: Uint8Array
      interval_seconds: number
      writes_beacon_roots: number
      writes_block_hashes: number
      /** 32 bytes of each block. */
      hashes: Uint8Array
      /** 32 bytes of each block. */
      state_roots: Uint8Array
    }
    transactions: {
      /** Indexed, and in the rows of one network unique. */
      hash: Uint8Array
      block_number: number
      position: number
      sender: Uint8Array
      raw: Uint8Array
      succeeded: number
      gas_used: number
      cumulative_gas_used: number
      effective_gas_price: Uint8Array
      contract_address: Uint8Array | null
      blob_gas_price: Uint8Array | null
      /** JSON, of transactions that paid for their data. */
      l1_fees: string | null
      /** Of deposits. */
      deposit_nonce: Uint8Array | null
    }
    logs: {
      block_number: number
      position: number
      transaction_position: number
      address: Uint8Array
      topic0: Uint8Array | null
      topic1: Uint8Array | null
      topic2: Uint8Array | null
      topic3: Uint8Array | null
      data: Uint8Array
    }
    /** What users wrote about transactions. */
    transaction_notes: {
      hash: Uint8Array
      /** `null` for a transaction of the live chain. */
      block_number: number | null
      note: string
      updated_at: number
    }
    /** Transactions of the live chain that ran here too; see records/chain/shadowedTransactions.ts. */
    shadowed_transactions: {
      /** The block of the live chain, and its own here. */
      block_number: number
      /** Its position in the live chain's block. */
      position: number
      hash: Uint8Array
      kind: string
      is_cascade: number
      sender: Uint8Array
      target: Uint8Array | null
      selector: Uint8Array | null
      /** What differs, as JSON. */
      fields: string
      /** JSON. */
      detail: string
      /** What others of the live block had changed before it, of what it read; JSON, `null` if nothing. */
      before: string | null
    }
    /** Keys that are local because a shadowed transaction diverged, and which one. The slot of an account's fields is empty. */
    shadow_keys: { address: Uint8Array; slot: Uint8Array; block_number: number; hash: Uint8Array }
    /** What must hold after every block. */
    invariants: { number: Generated<number>; id: string; name: string /** JSON. */; definition: string }
    /** Times in which an invariant did not hold: since a block, until another. */
    invariant_failures: {
      invariant: number
      block_number: number
      hash: Uint8Array | null
      left_value: string | null
      right_value: string | null
      error: string | null
      recovered_at: number | null
      /** The slot that its transaction wrote, and that the check reads. */
      address: Uint8Array | null
      slot: Uint8Array | null
      /** The line that wrote it, as JSON. */
      place: string | null
      /** The branch that was made at its block. */
      made_branch: string | null
      /** 1 until its line was looked for and its branch was made. */
      is_open: number | null
    }
    pending_transactions: { arrival: Generated<number>; hash: Uint8Array; sender: Uint8Array; raw: Uint8Array }
    /** The newest blobs that transactions were sent with, by versioned hash. */
    blobs: { position: Generated<number>; hash: Uint8Array; data: Uint8Array }
    /** Followed keys, from one change until another. */
    follows: {
      address: Uint8Array
      /** Empty for a whole account. */
      slot: Uint8Array
      from_seq: number
      until_seq: number | null
    }
    /** For which token balances slots are followed: the slot of each, which may be another contract's. */
    followed_balances: {
      token: Uint8Array
      holder: Uint8Array
      address: Uint8Array
      slot: Uint8Array
      from_seq: number
      until_seq: number | null
    }
    /** Transactions that waited at snapshots, from the first to the last of those; see records/chain/snapshotTransactions.ts. */
    snapshot_transactions: {
      first_snapshot: number
      /** Orders those that were new at the first snapshot. */
      position: number
      last_snapshot: number
      hash: Uint8Array
      sender: Uint8Array
      raw: Uint8Array
    }
    snapshots: { id: number; block_number: number; seq: number /** JSON. */; settings: string }
    /** Reverts of the network to a block; each is a change. */
    rewinds: { seq: number; block_number: number }
    impersonated_accounts: { address: Uint8Array }
    function_overrides: {
      /** Increases in the order of insertion. */
      position: Generated<number>
      id: string
      address: Uint8Array
      selector: Uint8Array
      /** `null` for any inputs. */
      inputs: Uint8Array | null
      output: Uint8Array
      enabled: number
      function_abi: string
      /** JSON. */
      input_params: string | null
      /** JSON. */
      return_values: string
      created_at: number
    }
    /** The results of each enabled override, from one change of the network until another. */
    override_spans: {
      position: Generated<number>
      address: Uint8Array
      selector: Uint8Array
      /** `null` for any inputs. */
      inputs: Uint8Array | null
      output: Uint8Array
      from_seq: number
      until_seq: number | null
    }
    tracked_items: {
      number: Generated<number>
      id: string
      address: Uint8Array
      name: string
      type: string
      function_abi: string | null
      function_args: string | null
      function_output_path: string | null
      record_trigger: string
      tracking_frequency: number | null
      /** JSON. */
      tags: string
      created_at: number
      /** See records/tracking/trackedItems.ts, and records/tracking/trackedSamples.ts for the samples. */
      anchor: number | null
      last_error: string | null
    }
    tracked_samples: {
      item: number
      block_number: number
      position: number
      timestamp: number
      kind: string
      value: string
    }
    /** The transactions after which items were recorded: a run in `tracked_samples` has an entry for each. */
    tracked_transactions: { block_number: number; position: number; hash: Uint8Array; timestamp: number }
    /** Branches of the network, and those that were removed while others still read their rows. See branches/. */
    branches: {
      number: Generated<number>
      /** `null` if it was removed. */
      id: string | null
      /** `null` if it was removed. */
      name: string | null
      /** The number of the branch that it left; 0 for the network. */
      parent: number
      /** The block at which it left it. */
      block_number: number
      /** JSON: whose rows it reads besides its own; see branches/layers.ts. */
      layers: string
      /** Milliseconds since 1970. */
      created_at: number
      /** Milliseconds since 1970; `null` if it stays until it is removed. */
      expires_at: number | null
    }
    /** Fetched upstream state; see records/upstream/upstreamCache.ts. */
    upstream_values: {
      address: Uint8Array
      /** A slot's key, or one byte: 0 for the balance, 1 for the nonce, 2 for the hash of the code. */
      field: Uint8Array
      first_block: number
      /** `null` if it held at the end of its generation. */
      last_block: number | null
      generation: number
      value: Uint8Array
    }
    upstream_codes: { hash: Uint8Array; code: Uint8Array }
    /** Calls by callers with the role admin. See records/auditEntries.ts. */
    audit_entries: {
      id: Generated<number>
      at: number
      key: string | null
      method: string
      params: string
      error: string | null
    }
  }
