import type { CompiledQuery } from 'kysely'
import type { QueryConfig } from 'pg'
import { parameterOf } from './values.ts'

/** Statements that a connection keeps prepared at the most, and the longest that it keeps: those of many rows come once. */
const preparedLimit = 500
const preparedLength = 2_000

/** A statement that changes rows. */
export const isWrite = ({ sql }: CompiledQuery): boolean => /^\s*(insert|update|delete)\b/i.test(sql)

/** The table that a statement changes. */
export const writtenTable = ({ sql }: CompiledQuery): string | undefined =>
  /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sql)?.[1]

/** A write that answers nothing but how many rows it changed. */
export const answersNothing = (query: CompiledQuery): boolean => isWrite(query) && !/\breturning\b/i.test(query.sql)

/** Statements as the driver takes them. Those that come again and again are prepared once on each connection. */
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
