import pg from 'pg'
import { connectionOptions } from '../postgres/connectionOptions.ts'
import { openingProblem, toNetworkError } from '../postgres/problems.ts'
import type { NetworkList, NetworkRecord } from './networkList.ts'

/** How old a record may be that a request finds, in milliseconds: as long, a network that another node removed is served. */
const freshMs = 1_000

type Row = {
  name: string
  id: string
  owner: string | null
  created_at: number
  options: string
  base: string | null
  label: string | null
}

const recordOf = ({ name, id, owner, created_at, options, base, label }: Row): NetworkRecord => ({
  ...{ name, id, owner: owner ?? undefined, createdAt: created_at, options: JSON.parse(options) },
  ...{ like: base ?? undefined, label: label ?? undefined },
})

const columns = 'name, id, owner, created_at, options, base, label'

/**
 * The networks of a deployment, in the table `networks` of its schema, for all its nodes; a schema for each network. One that is
 * removed is marked before its schema is dropped, and the next start drops what a kill has left. Throws `DATABASE_UNUSABLE`.
 */
export async function openPostgresList({
  url,
  network: deployment,
}: {
  url: string
  network: string
}): Promise<NetworkList> {
  const pool = new pg.Pool({ ...connectionOptions(url, deployment), max: 3 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const seen = new Map<string, { record: NetworkRecord; at: number }>()

  async function query<Result extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Result[]> {
    try {
      return (await pool.query<Result>(text, values)).rows
    } catch (error) {
      throw toNetworkError(error)
    }
  }

  const schemaOf = ({ name, id }: { name: string; id: string | undefined }): string =>
    [deployment, name, ...(id === undefined ? [] : [id.slice(-8)])].join('_')

  async function drop(record: Pick<NetworkRecord, 'name' | 'id'>): Promise<void> {
    await query(`drop schema if exists ${schemaOf(record)} cascade`)
    await query('delete from networks where id = $1', [record.id])
  }

  try {
    // Two nodes may start at the same time.
    await query(
      `begin; select pg_advisory_xact_lock(hashtext('understudy ${deployment}'));
       create schema if not exists ${deployment};
       create table if not exists networks (name text primary key, id text not null, owner text,
         created_at bigint not null, options text not null, is_removed boolean not null default false);
       alter table networks add column if not exists base text, add column if not exists label text; commit`,
    )
    for (const row of await query<Row>(`select ${columns} from networks where is_removed`)) await drop(row)
  } catch (error) {
    await pool.end()
    throw openingProblem(error, url)
  }

  return {
    all: async () =>
      (await query<Row>(`select ${columns} from networks where not is_removed order by created_at`)).map(recordOf),
    async find(name, isNew) {
      const known = seen.get(name)
      const now = performance.now()
      if (known && !isNew && now - known.at < freshMs) return known.record
      const [row] = await query<Row>(`select ${columns} from networks where name = $1 and not is_removed`, [name])
      if (!row) {
        seen.delete(name)
        return undefined
      }
      const record = recordOf(row)
      seen.set(name, { record, at: now })
      return record
    },
    async add({ name, id, owner, createdAt, options, like, label }, { ofAll, ofOwner }) {
      const client = await pool.connect().catch((error) => {
        throw toNetworkError(error)
      })
      try {
        await client.query('begin; lock table networks in share row exclusive mode')
        const { rows } = await client.query<{ same: number; all: number; own: number }>(
          `select count(*) filter (where name = $1) as same, count(*) as all,
             count(*) filter (where owner is not distinct from $2) as own from networks`,
          [name, owner ?? null],
        )
        const { same = 0, all = 0, own = 0 } = rows[0] ?? {}
        const problem =
          same > 0
            ? 'exists'
            : all >= ofAll
              ? 'ofAll'
              : own >= (ofOwner ?? Number.POSITIVE_INFINITY)
                ? 'ofOwner'
                : undefined
        if (!problem)
          await client.query(`insert into networks (${columns}) values ($1, $2, $3, $4, $5, $6, $7)`, [
            ...[name, id, owner ?? null, createdAt, JSON.stringify(options), like ?? null, label ?? null],
          ])
        await client.query('commit')
        client.release()
        return problem
      } catch (error) {
        // Without a commit, closing the connection rolls back.
        client.release(true)
        throw toNetworkError(error)
      }
    },
    async remove(record) {
      await query('update networks set is_removed = true where id = $1', [record.id])
      seen.delete(record.name)
      await drop(record)
    },
    locationOf: (network) => ({ network: schemaOf(network) }),
    async size(network) {
      const [row] = await query<{ bytes: number }>(
        `select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes from pg_class c
           join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'`,
        [schemaOf(network)],
      )
      return row?.bytes ?? 0
    },
    close: () => pool.end(),
  }
}
