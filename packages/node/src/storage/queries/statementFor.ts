import type { CompiledQuery, DialectAdapter } from 'kysely'
import type { Layer, NetworkRows } from '../branches/layers.ts'
import type { NetworkParameter, NetworkQuery } from '../branches/networkCompiler.ts'
import type { Queries } from '../database.ts'

/** A statement that was built once, and the numbers that it binds of the network besides values. */
type Built = { sql: string; networkParameters: readonly (NetworkParameter | undefined)[] }

const statements = new WeakMap<DialectAdapter, Map<string, Built>>()
/** Whose rows the statements of an adapter concern; those of the network's own are not here. */
const networks = new WeakMap<DialectAdapter, NetworkRows>()

/** The statements of a database, by purpose and number of layers. */
function statementsOf(adapter: DialectAdapter): Map<string, Built> {
  const known = statements.get(adapter) ?? new Map<string, Built>()
  statements.set(adapter, known)
  return known
}

/** An adapter for the statements of a branch, which share what is built with those of the others. */
export function adapterFor(adapter: DialectAdapter, rows: NetworkRows): DialectAdapter {
  const ofBranch: DialectAdapter = Object.create(adapter)
  statements.set(ofBranch, statementsOf(adapter))
  if (rows.number !== 0) networks.set(ofBranch, rows)
  return ofBranch
}

/** A statement with these values, built once for each database and number of layers. `key` names it. */
export function statementFor(
  queries: Queries,
  key: string,
  values: readonly unknown[],
  build: () => CompiledQuery,
): Pick<CompiledQuery, 'sql' | 'parameters'> {
  const { adapter } = queries.getExecutor()
  const known = statementsOf(adapter)
  const rows = networks.get(adapter)
  const layers = rows?.layers() ?? []
  const name = rows ? `${layers.length} ${key}` : key
  const built = known.get(name) ?? builtFrom(build())
  known.set(name, built)
  return { sql: built.sql, parameters: bound(built, values, rows?.number ?? 0, layers) }
}

function builtFrom(query: CompiledQuery): Built {
  const { networkParameters } = query as NetworkQuery
  return {
    sql: query.sql,
    networkParameters:
      networkParameters.size === 0 ? [] : query.parameters.map((_, index) => networkParameters.get(index)),
  }
}

function bound(
  { networkParameters }: Built,
  values: readonly unknown[],
  network: number,
  layers: readonly Layer[],
): readonly unknown[] {
  if (networkParameters.length === 0) return values
  let next = 0
  return networkParameters.map((parameter) => (parameter ? parameter.numberIn(network, layers) : values[next++]))
}
