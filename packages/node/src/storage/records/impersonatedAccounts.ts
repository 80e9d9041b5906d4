import type { Address } from '@understudy/evm'
import { column, value } from '../bytes.ts'
import type { Queries } from '../database.ts'

export async function loadImpersonatedAccounts(queries: Queries): Promise<Address[]> {
  const rows = await queries.selectFrom('impersonated_accounts').select('address').execute()
  return rows.map((row) => value.address(row.address))
}

export async function addImpersonatedAccount(queries: Queries, address: Address): Promise<void> {
  await queries
    .insertInto('impersonated_accounts')
    .values({ address: column.hex(address) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeImpersonatedAccount(queries: Queries, address: Address): Promise<void> {
  await queries.deleteFrom('impersonated_accounts').where('address', '=', column.hex(address)).execute()
}
