import {
  AndNode,
  ColumnNode,
  type CompiledQuery,
  type DefaultQueryCompiler,
  type DeleteQueryNode,
  type InsertQueryNode,
  type OnConflictNode,
  type OperationNode,
  ParensNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  RawNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  SqliteQueryCompiler,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
  type ValuesNode,
  WhereNode,
} from 'kysely'
import type { Engine } from '../database.ts'
import type { TableName } from '../schema.ts'
import { columnsOf, idOf, idsInOf, isOfBranches, type Layer, layerColumnsOf, type NetworkRows } from './layers.ts'

/** A parameter of a statement that is a number: that of the network, or a field of the layer at an index. */
export class NetworkParameter {
  readonly #layer: number | undefined
  readonly #field: keyof Layer

  constructor(layer: number | undefined, field: keyof Layer) {
    this.#layer = layer
    this.#field = field
  }

  numberIn(network: number, layers: readonly Layer[]): number {
    if (this.#layer === undefined) return network
    return layers[this.#layer]?.[this.#field] ?? -1
  }
}

/** A statement, and where it binds numbers of the network, by the index of the value. */
export type NetworkQuery = CompiledQuery & { readonly networkParameters: ReadonlyMap<number, NetworkParameter> }

const own = new NetworkParameter(undefined, 'network')
const branchColumn = ColumnNode.create('branch')

/** `select … from … where "branch" = ` for a table. */
const selects = new Map<TableName, string>()

function selectOf(name: TableName): string {
  const columns = columnsOf(name).map((column) => `"${column}"`)
  const known = selects.get(name) ?? `select ${columns.join(', ')} from "${name}" where "branch" = `
  selects.set(name, known)
  return known
}

const nameOf = (node: OperationNode | undefined): string | undefined =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined

const tableOf = (node: OperationNode | undefined): TableName | undefined => {
  const name = nameOf(node)
  return name !== undefined && isOfBranches(name) ? name : undefined
}

/**
 * Makes the statements of a network from those that know of no branches: they read its rows and those of its layers, and
 * write its own. It replaces the tables in Kysely's queries, and those that `rowsOf` names in `sql` templates.
 */
// biome-ignore lint/suspicious/noExplicitAny: as TypeScript wants it of what a class is made from
const forNetworks = <Base extends new (...any: any[]) => DefaultQueryCompiler>(Compiler: Base) =>
  class extends Compiler {
    #network = 0
    #layers: readonly Layer[] = []
    #networkParameters = new Map<number, NetworkParameter>()

    compileFor({ number, layers }: NetworkRows, node: RootOperationNode, id: QueryId): NetworkQuery {
      this.#network = number
      this.#layers = layers()
      this.#networkParameters = new Map()
      return { ...this.compileQuery(node, id), networkParameters: this.#networkParameters }
    }

    /** The network's own number is part of the text for the network itself, whose statements therefore bind nothing more. */
    protected override appendValue(value: unknown): void {
      if (value === own && this.#network === 0) this.append('0')
      else if (value instanceof NetworkParameter) {
        this.#networkParameters.set(this.numParameters, value)
        super.appendValue(value.numberIn(this.#network, this.#layers))
      } else super.appendValue(value)
    }

    protected override visitTable(node: TableNode): void {
      const name = tableOf(node)
      const parent = this.parentNode?.kind
      const isRead =
        parent === 'AliasNode' ||
        parent === 'JoinNode' ||
        parent === 'RawNode' ||
        (parent === 'FromNode' && this.nodeStack.at(-3)?.kind !== 'DeleteQueryNode')
      if (name !== undefined && isRead) this.#appendRows(name)
      else super.visitTable(node)
      if (name !== undefined && isRead && parent !== 'RawNode' && parent !== 'AliasNode') this.append(` as "${name}"`)
    }

    #appendRows(name: TableName): void {
      this.append('(')
      this.append(selectOf(name))
      this.appendValue(own)
      this.#appendLayers(name, ` union all ${selectOf(name)}`)
      this.append(')')
    }

    /** What each layer has of a table, after a select up to the number of its network. */
    #appendLayers(name: TableName, select: string): void {
      const ends = layerColumnsOf(name)
      if (ends.length === 0) return
      for (const layer of this.#layers.keys()) {
        this.append(select)
        this.appendValue(new NetworkParameter(layer, 'network'))
        for (const [field, column] of ends) {
          this.append(` and "${column}" <= `)
          this.appendValue(new NetworkParameter(layer, field))
        }
      }
    }

    protected override visitUpdateQuery(node: UpdateQueryNode): void {
      super.visitUpdateQuery(tableOf(node.table) === undefined ? node : { ...node, where: ownOnly(node.where) })
    }

    protected override visitDeleteQuery(node: DeleteQueryNode): void {
      const [table] = node.from.froms
      super.visitDeleteQuery(tableOf(table) === undefined ? node : { ...node, where: ownOnly(node.where) })
    }

    protected override visitInsertQuery(node: InsertQueryNode): void {
      super.visitInsertQuery(tableOf(node.into) === undefined ? node : withBranch(node))
    }

    protected override visitValues(node: ValuesNode): void {
      const insert = this.parentNode as InsertQueryNode
      const name = tableOf(insert.into)
      if (name === undefined) super.visitValues(node)
      else this.#appendNewRows(name, missingId(name, insert), node)
    }

    #appendNewRows(name: TableName, id: string | undefined, { values }: ValuesNode): void {
      this.append('values ')
      for (const [index, row] of values.entries()) {
        this.append(index === 0 ? '(' : ', (')
        this.appendValue(own)
        if (id !== undefined) this.#appendNewId(name, id, index + 1)
        for (const value of row.values) {
          this.append(', ')
          if (PrimitiveValueListNode.is(row)) this.appendValue(value)
          else this.visitNode(value as OperationNode)
        }
        this.append(')')
      }
    }

    /** The id of a row, above all that the network has or reads. */
    #appendNewId(name: TableName, id: string, offset: number): void {
      const idsIn = idsInOf(name)
      this.append(`, (select coalesce(max(id), 0) from (select max("${id}") as id from "${name}" where "branch" = `)
      this.appendValue(own)
      if (idsIn)
        this.#appendLayers(
          idsIn.table,
          ` union all select max("${idsIn.column}") from "${idsIn.table}" where "branch" = `,
        )
      this.append(`) as ids) + ${offset}`)
    }

    protected override visitOnConflict(node: OnConflictNode): void {
      const isOfTable = tableOf((this.parentNode as InsertQueryNode).into) !== undefined
      super.visitOnConflict(isOfTable && node.columns ? { ...node, columns: [branchColumn, ...node.columns] } : node)
    }
  }

/** The column that is numbered within the network, if an insert leaves it out. */
function missingId(name: TableName, { columns }: InsertQueryNode): string | undefined {
  const id = idOf(name)
  return columns?.some(({ column }) => column.name === id) ? undefined : id
}

function ownOnly(where: WhereNode | undefined): WhereNode {
  const isOwn = RawNode.create(['"branch" = ', ''], [ValueNode.create(own)])
  return WhereNode.create(where ? AndNode.create(isOwn, ParensNode.create(where.where)) : isOwn)
}

/** An insert with the number of the network, in front of what a query selects; `visitValues` adds it to values. */
function withBranch(node: InsertQueryNode): InsertQueryNode {
  const name = tableOf(node.into)
  const id = name && missingId(name, node)
  const ids = id === undefined ? [] : [ColumnNode.create(id)]
  const columns = [branchColumn, ...ids, ...(node.columns ?? [])]
  const { values } = node
  if (!values || !SelectQueryNode.is(values)) return { ...node, columns }
  const selected: SelectQueryNode = { ...values, selections: [selectedBranch, ...(values.selections ?? [])] }
  return { ...node, columns, values: selected }
}
const selectedBranch = SelectionNode.create(ValueNode.create(own) as never)

/**
 * Adds the type of every bound number and blob to the statement: without other information, PostgreSQL assumes text.
 */
class TypedQueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(value)
    if (value instanceof Uint8Array) this.append('::bytea')
    else if (typeof value === 'number') this.append('::bigint')
  }
}

const compilers = {
  sqlite: new (forNetworks(SqliteQueryCompiler))(),
  postgres: new (forNetworks(TypedQueryCompiler))(),
} satisfies Record<Engine, unknown>

/** The compiler of the statements of a network, and of no others at the same time. */
export function networkCompiler(engine: Engine, rows: NetworkRows): QueryCompiler {
  const compiler = compilers[engine]
  return { compileQuery: (node, id) => compiler.compileFor(rows, node, id) }
}
