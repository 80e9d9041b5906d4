import { PostgresQueryCompiler } from 'kysely'

/**
 * Adds the type of every bound number and blob to the statement: without other information, PostgreSQL assumes text.
 */
export class TypedQueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(value)
    if (value instanceof Uint8Array) this.append('::bytea')
    else if (typeof value === 'number') this.append('::bigint')
  }
}
