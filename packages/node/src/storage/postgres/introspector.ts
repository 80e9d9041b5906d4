import {
  type DatabaseIntrospector,
  type DatabaseMetadata,
  type Kysely,
  type SchemaMetadata,
  sql,
  type TableMetadata,
} from 'kysely'

/** Lists only the tables of one schema for migrations, because a database may hold thousands of networks. */
export class SchemaIntrospector implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>
  readonly #schema: string

  // biome-ignore lint/suspicious/noExplicitAny: as the dialect hands it out
  constructor(db: Kysely<any>, schema: string) {
    this.#db = db
    this.#schema = schema
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    const { rows } = await sql<SchemaMetadata>`
      select nspname as name from pg_namespace where nspname = ${this.#schema}`.execute(this.#db)
    return rows
  }

  async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = ${this.#schema}`.execute(this.#db)
    return rows.map(({ name }) => ({ name, schema: this.#schema, isView: false, columns: [] }))
  }

  async getMetadata(): Promise<DatabaseMetadata> {
    return { tables: await this.getTables() }
  }
}
