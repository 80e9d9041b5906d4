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
}
