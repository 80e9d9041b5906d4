import type { Address } from '@understudy/evm'
import type { Abi } from 'viem'
import {
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Abi,
  entryPoint08Address,
} from 'viem/account-abstraction'
import { NetworkError } from '../../../shared/errors.ts'

/** The contract that validates and runs user operations (ERC-4337). */
export type EntryPoint = { version: '0.6' | '0.7' | '0.8'; address: Address; abi: Abi }

const lowercase = (address: string) => address.toLowerCase() as Address

/** Every supported version, at the address that it has on all chains; the newest first. */
export const entryPoints: readonly EntryPoint[] = [
  { version: '0.8', address: lowercase(entryPoint08Address), abi: entryPoint08Abi },
  { version: '0.7', address: lowercase(entryPoint07Address), abi: entryPoint07Abi },
  { version: '0.6', address: lowercase(entryPoint06Address), abi: entryPoint06Abi },
]

/** Throws `ENTRY_POINT_UNSUPPORTED`. */
export function requireEntryPoint(address: Address): EntryPoint {
  const found = entryPoints.find((entryPoint) => entryPoint.address === address)
  if (found) return found
  const known = entryPoints.map(({ address, version }) => `${address} (${version})`).join(', ')
  throw new NetworkError('ENTRY_POINT_UNSUPPORTED', { address, known })
}
