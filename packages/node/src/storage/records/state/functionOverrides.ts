import type { Address, Hex } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

export type FunctionOverrideRecord = {
  id: string
  address: Address
  selector: Hex
  /** The encoded inputs that it matches; `undefined` for any. */
  inputs: Uint8Array | undefined
  /** The encoded return data. */
  output: Uint8Array
  enabled: boolean
  /** As the client passed them. */
  functionAbi: string
  inputParams: string[] | undefined
  returnValues: string[]
  /** Milliseconds since 1970. */
  createdAt: number
}

/** In the order in which they were added. */
export async function loadFunctionOverrides(queries: Queries): Promise<FunctionOverrideRecord[]> {
  const rows = await queries.selectFrom('function_overrides').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    id: row.id,
    address: value.address(row.address),
    selector: value.hex(row.selector),
    inputs: row.inputs === null ? undefined : value.bytes(row.inputs),
    output: value.bytes(row.output),
    enabled: row.enabled === 1,
    functionAbi: row.function_abi,
    inputParams: row.input_params === null ? undefined : JSON.parse(row.input_params),
    returnValues: JSON.parse(row.return_values),
    createdAt: row.created_at,
  }))
}

export async function addFunctionOverride(queries: Queries, record: FunctionOverrideRecord): Promise<void> {
  await queries
    .insertInto('function_overrides')
    .values({
      id: record.id,
      address: column.hex(record.address),
      selector: column.hex(record.selector),
      inputs: record.inputs ?? null,
      output: record.output,
      enabled: Number(record.enabled),
      function_abi: record.functionAbi,
      input_params: record.inputParams === undefined ? null : JSON.stringify(record.inputParams),
      return_values: JSON.stringify(record.returnValues),
      created_at: record.createdAt,
    })
    .execute()
}

/** Stores the mutable fields of an override. */
export async function saveFunctionOverride(
  queries: Queries,
  { id, output, returnValues, enabled }: FunctionOverrideRecord,
): Promise<void> {
  await queries
    .updateTable('function_overrides')
    .set({ output, return_values: JSON.stringify(returnValues), enabled: Number(enabled) })
    .where('id', '=', id)
    .execute()
}

export async function removeFunctionOverride(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('function_overrides').where('id', '=', id).execute()
}
