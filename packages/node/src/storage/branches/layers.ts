import type { CompiledQuery } from 'kysely'
import { schema, type TableName } from '../schema.ts'
import { type BranchRows, tables } from '../tables.ts'

/** A network by its number: 0, or a branch. */
export type NetworkNumber = number

/** The point up to which a branch reads the rows of another network. */
export type LayerPoint = {
  /** The number of the last change. */
  seq: number
  /** The number of the last block. */
  block: number
  /** The network's time, in milliseconds since 1970. */
  at: number
}

/** Rows of another network that a branch reads. */
export type Layer = LayerPoint & { network: NetworkNumber }

/** Whose rows statements concern: they write those of a network, and read those of its layers, too. */
export type NetworkRows = {
  number: NetworkNumber
  /** Nearest first. They may change. */
  layers: () => readonly Layer[]
}

/** A statement of a branch says so; one without a number is of the network. */
export type QueryOfNetwork<Row = unknown> = CompiledQuery<Row> & { readonly network?: NetworkNumber }

const noLayers: readonly Layer[] = []

/** The rows of a network alone. */
export const rowsOfNetwork = (number: NetworkNumber): NetworkRows => ({ number, layers: () => noLayers })

const branchRowsOf = (name: TableName): BranchRows => tables[name].branch

/** The tables whose rows differ between branches. */
export const branchTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter(
  (name) => branchRowsOf(name) !== 'shared',
)

/** The tables of which a branch begins with copies. */
export const copiedToBranches = branchTables.filter((name) => branchRowsOf(name) === 'copied')

const ofBranches: ReadonlySet<string> = new Set(branchTables)

export const isOfBranches = (name: string): name is TableName => ofBranches.has(name)

/** The column that ends what a branch reads of another network in a table, by field of the layer; none if it reads nothing. */
export function layerColumnsOf(name: TableName): [field: keyof LayerPoint, column: string][] {
  const rows = branchRowsOf(name)
  if (typeof rows !== 'object') return []
  if ('seq' in rows) return [['seq', rows.seq]]
  return [['block', rows.block], ...(rows.time === undefined ? [] : [['at', rows.time] as ['at', string]])]
}

/** The columns of a table, without that of the branch. */
export const columnsOf = (name: TableName): readonly string[] => Object.keys(schema[name])

/** The column that is numbered within each network, if there is one. */
export const idOf = (name: TableName): string | undefined =>
  Object.entries(schema[name]).find(([, type]) => type === 'id')?.[0]

/** The table of samples with the ids of another one: a branch does not use those that it reads of its parent again. */
export const idsInOf = (name: TableName): { table: TableName; column: string } | undefined => {
  const facts: { idsIn?: { table: TableName; column: string } } & object = tables[name]
  return facts.idsIn
}
