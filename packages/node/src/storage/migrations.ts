import { type Kysely, type Migration, sql } from 'kysely'

/** In order of their names; one that was released is never changed. Each runs once, in a transaction of its own. */
export const migrations: Record<string, Migration> = {
  '0001_network': {
    async up(db: Kysely<never>) {
      const statements = [
        'create table settings (key text primary key, value text not null)',
        'create table codes (hash blob primary key, code blob not null)',
        `create table account_versions (address blob not null, seq integer not null, balance blob, nonce blob, code_hash blob,
           storage_seq integer, primary key (address, seq))`,
        'create index account_versions_seq on account_versions (seq)',
        `create table slot_versions (address blob not null, slot blob not null, seq integer not null, value blob,
           primary key (address, slot, seq))`,
        'create index slot_versions_seq on slot_versions (seq)',
        `create table blocks (number integer primary key, hash blob not null unique, seq integer not null unique,
           base_number integer not null, base_hash blob not null, live_number integer, live_hash blob, header blob not null,
           size integer not null)`,
        `create table transactions (hash blob not null, block_number integer not null, position integer not null,
           sender blob not null, raw blob not null, succeeded integer not null, gas_used integer not null,
           cumulative_gas_used integer not null, effective_gas_price blob not null, contract_address blob, blob_gas_price blob,
           primary key (block_number, position))`,
        'create index transactions_hash on transactions (hash)',
        `create table logs (block_number integer not null, position integer not null, transaction_position integer not null,
           address blob not null, topic0 blob, topic1 blob, topic2 blob, topic3 blob, data blob not null,
           primary key (block_number, position))`,
        'create index logs_address on logs (address, block_number)',
        'create index logs_topic0 on logs (topic0, block_number)',
        `create table pending_transactions (arrival integer primary key, hash blob not null unique, sender blob not null,
           raw blob not null)`,
        `create table follows (address blob not null, slot blob not null, from_seq integer not null, until_seq integer,
           primary key (address, slot, from_seq))`,
        'create table snapshots (id integer primary key, block_number integer not null, seq integer not null, settings text not null)',
        'create table impersonated_accounts (address blob primary key)',
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0002_overrides': {
    async up(db: Kysely<never>) {
      const statement = `create table function_overrides (position integer primary key, id text not null unique,
        address blob not null, selector blob not null, inputs blob, output blob not null, enabled integer not null,
        function_abi text not null, input_params text, return_values text not null, created_at integer not null)`
      await sql.raw(statement).execute(db)
    },
  },
  '0005_calls': {
    async up(db: Kysely<never>) {
      const statements = [
        `create table calls (block_number integer not null, transaction_position integer not null, position integer not null,
           depth integer not null, type integer not null, sender blob not null, recipient blob not null, selector blob, value blob,
           gas integer not null, gas_used integer not null, input blob, input_size integer not null, output blob,
           output_size integer not null, outcome integer not null, halt text,
           primary key (block_number, transaction_position, position))`,
        'create index calls_recipient on calls (recipient, block_number, transaction_position, position)',
        'create index calls_sender on calls (sender, block_number, transaction_position, position)',
        `create table creations (address blob not null, block_number integer not null, transaction_position integer not null,
           position integer not null, creator blob not null, init_hash blob,
           primary key (address, block_number, transaction_position, position))`,
        'create index creations_block on creations (block_number)',
        `create table transfers (block_number integer not null, transaction_position integer not null, position integer not null,
           kind integer not null, token blob not null, sender blob not null, recipient blob not null, token_id blob,
           amount blob not null, primary key (block_number, transaction_position, position))`,
        'create index transfers_token on transfers (token, block_number, transaction_position, position)',
        'create index transfers_sender on transfers (sender, block_number, transaction_position, position)',
        'create index transfers_recipient on transfers (recipient, block_number, transaction_position, position)',
        `create table mapping_keys (address blob not null, base blob not null, key blob not null,
           block_number integer not null, primary key (address, base, key))`,
        'create index mapping_keys_block on mapping_keys (block_number)',
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0006_contracts': {
    async up(db: Kysely<never>) {
      const statements = [
        'create table contracts (id text primary key, origin text not null, name text not null, created_at integer not null)',
        'create index contracts_name on contracts (name)',
        `create table contract_versions (id text primary key, contract_id text not null, number integer not null,
           abi text not null, digest text not null, runtime text, creation text, runtime_template text, creation_template text,
           storage_layout text, source_path text, source text, created_at integer not null, unique (contract_id, number))`,
        `create table deployments (id text primary key, contract_id text not null, version_id text not null,
           address blob not null, block_number integer, transaction_position integer, constructor_args text,
           created_at integer not null, unique (contract_id, address))`,
        'create index deployments_address on deployments (address)',
        `create table explorer_contracts (address blob primary key, source text, name text, abi text, implementation blob,
           fetched_at integer not null)`,
        `create table workspaces (id text primary key, kind text not null, address blob not null, name text not null,
           type text, created_at integer not null, unique (kind, address))`,
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0003_tracking': {
    async up(db: Kysely<never>) {
      const statements = [
        `create table tracked_items (number integer primary key, id text not null unique, address blob not null,
           name text not null, type text not null, function_abi text, function_args text, function_output_path text,
           record_trigger text not null, tracking_frequency integer, tags text not null, created_at integer not null,
           anchor integer, last_error text)`,
        `create table tracked_samples (item integer not null, block_number integer not null, position integer not null,
           timestamp integer not null, kind text not null, value text not null,
           primary key (item, block_number, position, timestamp))`,
        'create index tracked_samples_block on tracked_samples (block_number)',
        'create index tracked_samples_timestamp on tracked_samples (item, timestamp)',
        `create table tracked_transactions (block_number integer not null, position integer not null, hash blob not null,
           timestamp integer not null, primary key (block_number, position))`,
        'create index tracked_transactions_timestamp on tracked_transactions (timestamp)',
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0009_audit': {
    async up(db: Kysely<never>) {
      const statement = `create table audit_entries (id integer primary key autoincrement, at integer not null, key text,
        method text not null, params text not null, error text)`
      await sql.raw(statement).execute(db)
    },
  },
  '0007_upstream_cache': {
    async up(db: Kysely<never>) {
      const statements = [
        `create table upstream_values (address blob not null, field blob not null, first_block integer not null,
           last_block integer, generation integer not null, value blob not null,
           primary key (address, field, first_block))`,
        'create table upstream_codes (hash blob primary key, code blob not null)',
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0008_assets': {
    async up(db: Kysely<never>) {
      const statements = [
        'create index transfers_sender_token on transfers (sender, token)',
        'create index transfers_recipient_token on transfers (recipient, token)',
      ]
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  },
  '0012_verifications': {
    async up(db: Kysely<never>) {
      const statement = `create table verifications (address blob primary key, name text not null, source_path text not null,
         abi text not null, compiler_version text not null, input text not null, match text not null,
         verified_at integer not null)`
      await sql.raw(statement).execute(db)
    },
  },
  '0013_events': {
    async up(db: Kysely<never>) {
      await sql.raw('create index logs_address_topic0 on logs (address, topic0, block_number, position)').execute(db)
    },
  },
}
