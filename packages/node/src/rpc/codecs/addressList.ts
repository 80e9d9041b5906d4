import type { Address as AddressHex } from '@understudy/evm'
import { z } from 'zod'
import { Address } from './hex.ts'

/** Maximum number of addresses that one request changes. */
const limit = 1000

/** One or several addresses. */
export const AddressOrList: z.ZodType<AddressHex[], string | string[]> = z
  .union([Address.transform((address) => [address]), z.array(Address).max(limit)])
  .meta({ title: 'AddressOrList', description: `an address, or an array of at most ${limit}` })
