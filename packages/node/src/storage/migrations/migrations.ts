/** A table whose rows differ between branches. */
const table = (name: string, columns: string, key: string) =>
  `create table ${name} (branch integer not null, ${columns}, primary key (branch, ${key}))`

const index = (table: string, name: string, columns: string, where = '') =>
  `create index ${name} on ${table} (branch, ${columns}) ${where}`

const unique = (table: string, name: string, columns: string) =>
  `create unique index ${name} on ${table} (branch, ${columns})`

const answersTable = `create table live_answers (block_hash blob not null, block_number integer not null,
  key blob not null, output blob not null, is_reverted integer not null, primary key (block_hash, key))`

/** The cache of the live chain's state. Its tables are made anew when they are damaged. */
const firstCacheTables = [
  `create table upstream_values (address blob not null, field blob not null, first_block integer not null,
     last_block integer, generation integer not null, value blob not null,
     primary key (address, field, first_block))`,
  'create table upstream_codes (hash blob primary key, code blob not null)',
]
export const cacheTables = [...firstCacheTables, answersTable]

/**
 * Statements by migration name, in order; never change a released one. Each runs once, in its own transaction. They are
 * written for SQLite; see `migrate` for other databases. The columns are those of schema.ts, and `branch`: the number of
 * the branch whose row it is, or 0 for the network.
 */
export const migrations: Record<string, readonly string[]> = {
  '0102_network': [
    `create table branches (number integer primary key autoincrement, id text unique, name text unique,
       parent integer not null, block_number integer not null, layers text not null, created_at integer not null,
       expires_at integer, is_ephemeral integer not null)`,
    table('settings', 'key text not null, value text not null', 'key'),
    table(
      'account_versions',
      'address blob not null, seq integer not null, balance blob, nonce blob, code_hash blob, storage_seq integer',
      'address, seq',
    ),
    index('account_versions', 'account_versions_seq', 'seq'),
    table(
      'slot_versions',
      'address blob not null, slot blob not null, seq integer not null, value blob, position integer',
      'address, slot, seq',
    ),
    index('slot_versions', 'slot_versions_seq', 'seq'),
    table(
      'blocks',
      'number integer not null, hash blob not null, seq integer not null, base_number integer not null, base_hash blob not null, live_number integer, live_hash blob, header blob not null, size integer not null, access_list blob',
      'number',
    ),
    unique('blocks', 'blocks_hash', 'hash'),
    unique('blocks', 'blocks_seq', 'seq'),
    table(
      'transactions',
      'hash blob not null, block_number integer not null, position integer not null, sender blob not null, raw blob not null, succeeded integer not null, gas_used integer not null, cumulative_gas_used integer not null, effective_gas_price blob not null, contract_address blob, blob_gas_price blob, l1_fees text, deposit_nonce blob',
      'block_number, position',
    ),
    index('transactions', 'transactions_hash', 'hash'),
    index('transactions', 'transactions_failed', 'block_number, position', 'where succeeded = 0'),
    table(
      'logs',
      'block_number integer not null, position integer not null, transaction_position integer not null, address blob not null, topic0 blob, topic1 blob, topic2 blob, topic3 blob, data blob not null',
      'block_number, position',
    ),
    index('logs', 'logs_address', 'address, block_number'),
    index('logs', 'logs_topic0', 'topic0, block_number'),
    index('logs', 'logs_address_topic0', 'address, topic0, block_number, position'),
    table(
      'pending_transactions',
      'arrival integer not null, hash blob not null, sender blob not null, raw blob not null',
      'arrival',
    ),
    unique('pending_transactions', 'pending_transactions_hash', 'hash'),
    table(
      'follows',
      'address blob not null, slot blob not null, from_seq integer not null, until_seq integer',
      'address, slot, from_seq',
    ),
    table(
      'snapshots',
      'id integer not null, block_number integer not null, seq integer not null, settings text not null',
      'id',
    ),
    table('impersonated_accounts', 'address blob not null', 'address'),
    table(
      'function_overrides',
      'position integer not null, id text not null, address blob not null, selector blob not null, inputs blob, output blob not null, enabled integer not null, function_abi text not null, input_params text, return_values text not null, created_at integer not null',
      'position',
    ),
    unique('function_overrides', 'function_overrides_id', 'id'),
    table(
      'tracked_items',
      'number integer not null, id text not null, address blob not null, name text not null, type text not null, function_abi text, function_args text, function_output_path text, record_trigger text not null, tracking_frequency integer, tags text not null, created_at integer not null, anchor integer, last_error text',
      'number',
    ),
    unique('tracked_items', 'tracked_items_id', 'id'),
    table(
      'tracked_samples',
      'item integer not null, block_number integer not null, position integer not null, timestamp integer not null, kind text not null, value text not null',
      'item, block_number, position, timestamp',
    ),
    index('tracked_samples', 'tracked_samples_block', 'block_number'),
    index('tracked_samples', 'tracked_samples_timestamp', 'item, timestamp'),
    table(
      'tracked_transactions',
      'block_number integer not null, position integer not null, hash blob not null, timestamp integer not null',
      'block_number, position',
    ),
    index('tracked_transactions', 'tracked_transactions_timestamp', 'timestamp'),
    table(
      'calls',
      'block_number integer not null, transaction_position integer not null, position integer not null, depth integer not null, type integer not null, sender blob not null, recipient blob not null, selector blob, value blob, gas integer not null, gas_used integer not null, input blob, input_size integer not null, output blob, output_size integer not null, outcome integer not null, halt text',
      'block_number, transaction_position, position',
    ),
    index('calls', 'calls_recipient', 'recipient, block_number, transaction_position, position'),
    index('calls', 'calls_sender', 'sender, block_number, transaction_position, position'),
    table(
      'creations',
      'address blob not null, block_number integer not null, transaction_position integer not null, position integer not null, creator blob not null, init_hash blob',
      'address, block_number, transaction_position, position',
    ),
    index('creations', 'creations_block', 'block_number'),
    table(
      'transfers',
      'block_number integer not null, transaction_position integer not null, position integer not null, kind integer not null, token blob not null, sender blob not null, recipient blob not null, token_id blob, amount blob not null',
      'block_number, transaction_position, position',
    ),
    index('transfers', 'transfers_token', 'token, block_number, transaction_position, position'),
    index('transfers', 'transfers_sender', 'sender, block_number, transaction_position, position'),
    index('transfers', 'transfers_recipient', 'recipient, block_number, transaction_position, position'),
    index('transfers', 'transfers_sender_token', 'sender, token'),
    index('transfers', 'transfers_recipient_token', 'recipient, token'),
    table(
      'mapping_keys',
      'address blob not null, base blob not null, key blob not null, block_number integer not null',
      'address, base, key',
    ),
    index('mapping_keys', 'mapping_keys_block', 'block_number'),
    table(
      'contracts',
      'id text not null, origin text not null, name text not null, created_at integer not null, workspace_name text',
      'id',
    ),
    index('contracts', 'contracts_name', 'name'),
    table(
      'contract_versions',
      'id text not null, contract_id text not null, number integer not null, abi text not null, digest text not null, runtime text, creation text, runtime_template text, creation_template text, storage_layout text, source_path text, source text, created_at integer not null, lines text',
      'id',
    ),
    unique('contract_versions', 'contract_versions_contract_id_number', 'contract_id, number'),
    table(
      'deployments',
      'id text not null, contract_id text not null, version_id text not null, address blob not null, block_number integer, transaction_position integer, constructor_args text, created_at integer not null',
      'id',
    ),
    unique('deployments', 'deployments_contract_id_address', 'contract_id, address'),
    index('deployments', 'deployments_address', 'address'),
    table(
      'workspaces',
      'id text not null, kind text not null, address blob not null, name text not null, type text, created_at integer not null',
      'id',
    ),
    unique('workspaces', 'workspaces_kind_address', 'kind, address'),
    table(
      'audit_entries',
      'id integer not null, at integer not null, key text, method text not null, params text not null, error text',
      'id',
    ),
    index('audit_entries', 'audit_entries_done', 'id', 'where error is null'),
    index('audit_entries', 'audit_entries_failed', 'id', 'where error is not null'),
    table(
      'verifications',
      'address blob not null, name text not null, source_path text not null, abi text not null, compiler_version text not null, input text not null, match text not null, verified_at integer not null',
      'address',
    ),
    table('rewinds', 'seq integer not null, block_number integer not null', 'seq'),
    table(
      'override_spans',
      'position integer not null, address blob not null, selector blob not null, inputs blob, output blob not null, from_seq integer not null, until_seq integer',
      'position',
    ),
    index('override_spans', 'override_spans_target', 'address, selector'),
    index('override_spans', 'override_spans_from', 'from_seq'),
    index('override_spans', 'override_spans_until', 'until_seq'),
    table(
      'block_runs',
      'first_number integer not null, last_number integer not null, first_seq integer not null, last_seq integer not null, base_number integer not null, base_hash blob not null, live_number integer, live_hash blob, header blob not null, interval_seconds integer not null, writes_beacon_roots integer not null, writes_block_hashes integer not null, hashes blob not null',
      'first_number',
    ),
    unique('block_runs', 'block_runs_first_seq', 'first_seq'),
    table('blobs', 'position integer not null, hash blob not null, data blob not null', 'position'),
    unique('blobs', 'blobs_hash', 'hash'),
    table(
      'transaction_notes',
      'hash blob not null, block_number integer, note text not null, updated_at integer not null',
      'hash',
    ),
    index('transaction_notes', 'transaction_notes_block', 'block_number'),
    table(
      'slot_writes',
      'address blob not null, slot blob not null, block_number integer not null, position integer not null, value blob not null',
      'address, slot, block_number, position',
    ),
    index('slot_writes', 'slot_writes_block', 'block_number'),
    table('state_causes', 'seq integer not null, cause text not null, at integer not null', 'seq'),
    table(
      'slot_reverts',
      'address blob not null, slot blob not null, seq integer not null, value blob, at integer not null',
      'address, slot',
    ),
    index('slot_reverts', 'slot_reverts_seq', 'seq'),
    table(
      'shadowed_transactions',
      'block_number integer not null, position integer not null, hash blob not null, kind text not null, is_cascade integer not null, sender blob not null, target blob, selector blob, fields text not null, detail text not null, before text',
      'block_number, position',
    ),
    index('shadowed_transactions', 'shadowed_transactions_hash', 'hash'),
    table(
      'shadow_keys',
      'address blob not null, slot blob not null, block_number integer not null, hash blob not null',
      'address, slot',
    ),
    index('shadow_keys', 'shadow_keys_block', 'block_number'),
    table(
      'invariants',
      'number integer not null, id text not null, name text not null, definition text not null',
      'number',
    ),
    unique('invariants', 'invariants_id', 'id'),
    table(
      'invariant_failures',
      'invariant integer not null, block_number integer not null, hash blob, left_value text, right_value text, error text, recovered_at integer, address blob, slot blob, location text, made_branch text, is_open integer',
      'invariant, block_number',
    ),
    index('invariant_failures', 'invariant_failures_block', 'block_number'),
    index('invariant_failures', 'invariant_failures_open', 'invariant', 'where recovered_at is null'),
    table(
      'snapshot_transactions',
      'first_snapshot integer not null, position integer not null, last_snapshot integer not null, hash blob not null, sender blob not null, raw blob not null',
      'first_snapshot, position',
    ),
    index('snapshot_transactions', 'snapshot_transactions_last', 'last_snapshot'),
    table(
      'followed_balances',
      'token blob not null, holder blob not null, address blob not null, slot blob not null, from_seq integer not null, until_seq integer',
      'token, holder, address, slot, from_seq',
    ),
    // What branches share, and what belongs to the data directory or the schema.
    'create table codes (hash blob primary key, code blob not null)',
    `create table explorer_contracts (address blob primary key, source text, name text, abi text, implementation blob,
       compiler text, files text, fetched_at integer not null)`,
    ...firstCacheTables,
    'create table writer (fence integer not null, commits integer not null)',
    'insert into writer (fence, commits) values (0, 0)',
    'create table lease (term integer not null, holder text not null, url text, secret text not null, expires_at integer not null)',
    "insert into lease (term, holder, secret, expires_at) values (0, '', '', 0)",
    'create table revisions (name text primary key, revision integer not null)',
  ],
  '0103_live_answers': [answersTable],
  '0104_branch_labels': ['alter table branches add column label text'],
  '0105_simulations': [
    table(
      'simulations',
      'number integer not null, id text not null, owner text, created_at integer not null, is_shared integer not null, summary text not null, content blob not null, size integer not null',
      'number',
    ),
    unique('simulations', 'simulations_id', 'id'),
    index('simulations', 'simulations_unshared', 'number', 'where is_shared = 0'),
  ],
}
