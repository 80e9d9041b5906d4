import type { Hex } from '@understudy/evm'
import { z } from 'zod'

/** Schemas of results: how values are encoded in JSON. */

const text = <Text extends string>(title: string, description: string, pattern: RegExp) =>
  z.string().regex(pattern).meta({ title, description }) as unknown as z.ZodType<Text, Text>

export const HexQuantity = text<Hex>('HexQuantity', '0x-hex without leading zeros', /^0x(0|[1-9a-f][\da-f]*)$/)
export const HexBytes = text<Hex>('HexBytes', 'lowercase 0x-hex bytes', /^0x([\da-f]{2})*$/)
export const HexWord = text<Hex>('HexWord', '32 bytes as lowercase 0x-hex', /^0x[\da-f]{64}$/)
export const HexAddress = text<Hex>('HexAddress', 'an address as lowercase 0x-hex', /^0x[\da-f]{40}$/)
export const DecimalString = text<string>('DecimalString', 'a whole number in decimal digits', /^(0|[1-9]\d*)$/)
export const Timestamp = text<string>(
  'Timestamp',
  'a time in ISO 8601, in UTC',
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
)

/** An object that is specified elsewhere. */
const standard = (title: string) =>
  z
    .record(z.string(), z.unknown())
    .meta({ title, description: "as in the specification of Ethereum's JSON-RPC (ethereum/execution-apis)" })

export const BlockObject = standard('Block')
export const HeaderObject = standard('Header')
export const TransactionObject = standard('Transaction')
export const ReceiptObject = standard('Receipt')
export const LogObject = standard('Log')
