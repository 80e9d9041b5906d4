import type { Address } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** A contract whose sources match the code at an address. */
export type VerificationRecord = {
  address: Address
  name: string
  sourcePath: string
  /** JSON. */
  abi: string
  /** With its commit: `0.8.30+commit.73712a01`. */
  compilerVersion: string
  /** The compiler's standard JSON. */
  input: string
  match: string
  /** Milliseconds since 1970. */
  verifiedAt: number
}

/** Replaces the previous one of the address. */
export async function saveVerification(queries: Queries, record: VerificationRecord): Promise<void> {
  const { address, sourcePath, compilerVersion, verifiedAt, ...rest } = record
  const row = {
    ...rest,
    source_path: sourcePath,
    compiler_version: compilerVersion,
    verified_at: verifiedAt,
  }
  await queries
    .insertInto('verifications')
    .values({ address: column.hex(address), ...row })
    .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
    .execute()
}

export async function loadVerification(queries: Queries, address: Address): Promise<VerificationRecord | undefined> {
  const row = await queries
    .selectFrom('verifications')
    .selectAll()
    .where('address', '=', column.hex(address))
    .executeTakeFirst()
  if (!row) return undefined
  const { source_path, compiler_version, verified_at, ...rest } = row
  return {
    ...rest,
    address: value.address(row.address),
    sourcePath: source_path,
    compilerVersion: compiler_version,
    verifiedAt: verified_at,
  }
}
