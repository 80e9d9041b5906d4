import { migrations } from '../migrations.ts'
import { type BranchRows, tables } from '../tables.ts'

/** A network by its number: 0, or a branch. */
export type NetworkNumber = number

/** The point up to which a branch reads the rows of another network. */
export type LayerPoint = {
  /** The number of the last change. */
  seq: number
  /** The number of the last block. */
  block: number
  /** The time, in milliseconds since 1970. */
  at: number
}

/** Rows of another network that a branch reads. */
export type Layer = LayerPoint & { network: NetworkNumber }

/** The rows of a network up to a point: numbers, or what stands for them in a statement. */
export type RowSource = { [Field in keyof Layer]: SqlNumber }
type SqlNumber = number | { toString(): string }

/** The table that has the rows of branches. */
export const branchTable = (name: string): string => `branch_${name}`

/** The columns of the tables that differ between branches. */
export const branchColumns: ReadonlyMap<string, readonly string[]> = readColumns()

function readColumns(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const nameOf = (definition: string) => definition.split(' ', 1)[0] ?? ''
  for (const statement of Object.values(migrations).flat()) {
    const [, table, columns] =
      /^create table branch_(\w+) \(branch integer not null, (.*), primary key/s.exec(statement) ?? []
    if (table && columns) found.set(table, columns.split(/,\s+/).map(nameOf))
    const [, changed, added] = /^alter table branch_(\w+) add column (.*)/s.exec(statement) ?? []
    if (changed && added) found.get(changed)?.push(nameOf(added))
  }
  return found
}

export const branchRowsOf = (name: string): BranchRows =>
  name in tables ? tables[name as keyof typeof tables].branch : 'shared'

/** The rows of one network in a table, up to a point if there is one, as the end of a query. */
export function rowsOf(name: string, network: SqlNumber, upTo?: Omit<RowSource, 'network'>): string {
  const rows = branchRowsOf(name)
  const conditions = network === 0 ? [] : [`branch = ${network}`]
  if (upTo && typeof rows === 'object') {
    conditions.push('seq' in rows ? `${rows.seq} <= ${upTo.seq}` : `${rows.block} <= ${upTo.block}`)
    if ('time' in rows) conditions.push(`"${rows.time}" <= ${upTo.at}`)
  }
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return `from ${network === 0 ? name : branchTable(name)}${where}`
}

export const columnsOf = (name: string): string =>
  (branchColumns.get(name) ?? []).map((column) => `"${column}"`).join(', ')
