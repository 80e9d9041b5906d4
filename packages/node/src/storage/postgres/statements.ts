import type { CompiledQuery } from 'kysely'
import type { QueryConfig } from 'pg'
import { parameterOf } from './values.ts'

/** Limits for prepared statements per connection, by number and length: statements with many rows are used once. */
const preparedLimit = 500
const preparedLength = 2_000

/** A statement that changes rows. */
export const isWrite = ({ sql }: CompiledQuery): boolean => /^\s*(insert|update|delete)\b/i.test(sql)

/** The table that a statement changes. */
export const writtenTable = ({ sql }: CompiledQuery): string | undefined =>
  /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sql)?.[1]

/** A write whose only result is the number of changed rows. */
export const answersNothing = (query: CompiledQuery): boolean => isWrite(query) && !/\breturning\b/i.test(query.sql)

/** Converts statements for the driver. Frequent ones are prepared once per connection. */
export class Statements {
  readonly #names = new Map<string, string>()

  of({ sql, parameters }: CompiledQuery): QueryConfig {
    const values = parameters.map(parameterOf)
    const name = this.#nameOf(sql)
    return name === undefined ? { text: sql, values } : { text: sql, values, name }
  }

  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || sql.length > preparedLength || this.#names.size >= preparedLimit) return known
    const name = `s${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}
