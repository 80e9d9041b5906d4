import type { Engine } from '../migrate.ts'
import { tables } from '../tables.ts'
import {
  branchColumns,
  branchRowsOf,
  branchTable,
  columnsOf,
  type Layer,
  type NetworkNumber,
  type RowSource,
  rowsOf,
} from './layers.ts'

/** A literal, a quoted or plain name, spaces, the place of a bound value in PostgreSQL, or any other character. */
const tokens = /'[^']*'|"[^"]*"|\w+|\s+|\$\d+|./gs

/** A number that is bound after the values of the statement: of the branch, or of the layer at an index. */
type BoundNumber = { layer: number | undefined; field: keyof Layer }

/** A statement on the rows of any branch whose layers have the same tables. */
export type BranchStatement = {
  sql: string
  /** All values to bind, from those of the statement. */
  bind(values: readonly unknown[], branch: NetworkNumber, layers: readonly Layer[]): unknown[]
}

/** Whether a table has rows of branches. */
const isOfBranches = (name: string) => branchColumns.has(name) && branchRowsOf(name) !== 'shared'

/** The tables that the layers of a branch have: those of the network, or those of branches. */
export const shapeOf = (layers: readonly Layer[]): string => layers.map(({ network }) => Math.sign(network)).join('')

/**
 * A statement on the tables of a network, as one on the rows of a branch: reads see its own rows and those of `layers`,
 * writes change its own. `valueCount` is the number of values that the statement binds.
 */
export function branchStatement(
  sql: string,
  { valueCount, layers, engine }: { valueCount: number; layers: readonly Layer[]; engine: Engine },
): BranchStatement {
  const rewriting = new Rewriting(sql, valueCount, layers, engine)
  const text = rewriting.text()
  const { added } = rewriting
  return {
    sql: text,
    bind: (values, branch, ofBranch) => [
      ...values,
      ...added.map(({ layer, field }) => (layer === undefined ? branch : ofBranch[layer]?.[field])),
    ],
  }
}

class Rewriting {
  readonly added: BoundNumber[] = []
  readonly #tokens: readonly string[]
  readonly #valueCount: number
  /** As those of a branch, with the places of the numbers to bind. */
  readonly #layers: readonly RowSource[]
  readonly #engine: Engine
  #at = 0
  #taken = 0
  #text = ''

  constructor(sql: string, valueCount: number, layers: readonly Layer[], engine: Engine) {
    this.#tokens = sql.match(tokens) ?? []
    this.#valueCount = valueCount
    this.#engine = engine
    const place = (layer: number, field: keyof Layer) => this.#bind({ layer, field })
    this.#layers = layers.map(({ network }, layer) => ({
      network: network === 0 ? 0 : { toString: () => place(layer, 'network') },
      seq: { toString: () => place(layer, 'seq') },
      block: { toString: () => place(layer, 'block') },
      at: { toString: () => place(layer, 'at') },
    }))
  }

  /** The place of a number, which is bound once. */
  #bind(wanted: BoundNumber): string {
    const known = this.added.findIndex(({ layer, field }) => layer === wanted.layer && field === wanted.field)
    const index = known === -1 ? this.added.push(wanted) - 1 : known
    const position = this.#valueCount + index + 1
    return this.#engine === 'postgres' ? `$${position}::bigint` : `?${position}`
  }

  get #branch(): string {
    return this.#bind({ layer: undefined, field: 'network' })
  }

  text(): string {
    this.#skipSpaces()
    const verb = this.#word()
    if (verb === 'insert' && this.#writes(4)) this.#insert()
    else if (verb === 'update' && this.#writes(2)) this.#change(1)
    else if (verb === 'delete' && this.#writes(4)) this.#change(2)
    this.#rest()
    return this.#text
  }

  /** Whether the table that is named after so many tokens has rows of branches. */
  #writes(offset: number): boolean {
    return isOfBranches(this.#name(offset))
  }

  /** A token as a keyword or a character. */
  #word(offset = 0): string | undefined {
    return this.#tokens[this.#at + offset]?.toLowerCase()
  }

  /** A token as a name. */
  #name(offset = 0): string {
    return this.#tokens[this.#at + offset]?.replaceAll('"', '') ?? ''
  }

  #take(count = 1): void {
    for (let taken = 0; taken < count; taken++) {
      const token = this.#tokens[this.#at++] ?? ''
      this.#text += token === '?' ? `?${++this.#taken}` : token
    }
  }

  #skipSpaces(): void {
    while (this.#word()?.trim() === '') this.#take()
  }

  /** Copies tokens up to one at the same depth of parentheses, with what it reads replaced. */
  #rest(isEnd: (word: string | undefined) => boolean = () => false): void {
    let depth = 0
    while (this.#at < this.#tokens.length) {
      const word = this.#word()
      if (depth === 0 && isEnd(word)) return
      if (word === '(') depth++
      if (word === ')') depth--
      this.#take()
      if (word === 'from' || word === 'join') this.#source()
    }
  }

  /** What comes after `from` or `join`. */
  #source(): void {
    this.#skipSpaces()
    const name = this.#name()
    if (!isOfBranches(name)) return
    this.#at++
    const own = `select ${columnsOf(name)} ${rowsOf(name, this.#branch)}`
    const layers = typeof branchRowsOf(name) === 'object' ? this.#layers : []
    const others = layers.map((layer) => ` union all select ${columnsOf(name)} ${rowsOf(name, layer.network, layer)}`)
    this.#text += `(${own}${others.join('')})`
    const hasAlias = this.#word()?.trim() === '' && this.#word(1) === 'as'
    if (!hasAlias) this.#text += ` as "${name}"`
  }

  /** The table that a statement writes to. */
  #target(): string {
    this.#skipSpaces()
    const name = this.#name()
    this.#at++
    this.#text += `"${branchTable(name)}" as "${name}"`
    return name
  }

  /** `update t` or `delete from t`: what it changes are rows of the branch. */
  #change(words: number): void {
    for (let word = 0; word < words; word++) {
      this.#take()
      this.#skipSpaces()
    }
    const name = this.#target()
    this.#rest((word) => word === 'where' || word === 'returning')
    const isOwn = `"${name}"."branch" = ${this.#branch}`
    if (this.#word() !== 'where') {
      this.#text += ` where ${isOwn} `
      return
    }
    this.#take()
    this.#text += ` ${isOwn} and (`
    this.#rest((word) => word === 'returning')
    this.#text += ') '
  }

  #insert(): void {
    this.#take()
    this.#skipSpaces()
    this.#take()
    const name = this.#target()
    this.#skipSpaces()
    const id = this.#missingId(name)
    this.#take()
    this.#text += id === undefined ? '"branch", ' : `"branch", "${id}", `
    this.#rest((word) => word === ')')
    this.#take()
    this.#skipSpaces()
    if (this.#word() === 'values') this.#values(name, id)
    else this.#selected()
    this.#conflict()
  }

  /** The column that the database numbers, if the statement leaves it out. */
  #missingId(name: string): string | undefined {
    const table: { copied: readonly string[] | false; numbered?: true } = tables[name as keyof typeof tables]
    if (!table.numbered || !table.copied) return undefined
    const [id = ''] = table.copied
    for (let offset = 0; this.#word(offset) !== ')'; offset++) if (this.#name(offset) === id) return undefined
    return id
  }

  #newestId(name: string, id: string): string {
    const table = tables[name as keyof typeof tables]
    const idsIn = 'idsIn' in table ? table.idsIn : undefined
    const own = `select "${id}" as id ${rowsOf(name, this.#branch)}`
    const others = idsIn
      ? this.#layers.map(
          (layer) => ` union all select max("${idsIn.column}") ${rowsOf(idsIn.table, layer.network, layer)}`,
        )
      : []
    return `(select coalesce(max(id), 0) from (${own}${others.join('')}) as ids)`
  }

  #values(name: string, id: string | undefined): void {
    this.#take()
    let row = 0
    for (;;) {
      this.#rest((word) => word === '(' || word === 'on' || word === 'returning')
      if (this.#word() !== '(') return
      this.#take()
      row++
      this.#text += `${this.#branch}, `
      if (id !== undefined) this.#text += `${this.#newestId(name, id)} + ${row}, `
      this.#rest((word) => word === ')')
      this.#take()
    }
  }

  #selected(): void {
    this.#take()
    this.#text += ` ${this.#branch}, `
    this.#rest((word) => word === 'returning' || this.#isConflict())
  }

  #isConflict(): boolean {
    return this.#word() === 'on' && this.#word(2) === 'conflict'
  }

  #conflict(): void {
    if (!this.#isConflict()) return
    this.#rest((word) => word === '(' || word === 'do')
    if (this.#word() !== '(') return
    this.#take()
    this.#text += '"branch", '
  }
}
