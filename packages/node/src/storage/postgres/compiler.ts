import { PostgresQueryCompiler } from 'kysely'

/**
 * Writes the type of every bound number and blob into the statement: where nothing beside a value tells its type, PostgreSQL
 * takes it for text.
 */
export class TypedQueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(value)
    if (value instanceof Uint8Array) this.append('::bytea')
    else if (typeof value === 'number') this.append('::bigint')
  }
}
