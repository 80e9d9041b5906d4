import type { Hex } from '@understudy/evm'
import { z } from 'zod'

/** Schemas of results: how values look on the wire. */

const text = <Text extends string>(title: string, pattern: RegExp) =>
  z.string().regex(pattern).meta({ title }) as unknown as z.ZodType<Text, Text>

/** 0x-hex without leading zeros. */
export const HexQuantity = text<Hex>('Quantity', /^0x(0|[1-9a-f][\da-f]*)$/)
export const HexBytes = text<Hex>('Bytes', /^0x([\da-f]{2})*$/)
export const HexWord = text<Hex>('Word32', /^0x[\da-f]{64}$/)
export const HexAddress = text<Hex>('Address', /^0x[\da-f]{40}$/)
/** A whole number in decimal digits. */
export const DecimalString = text<string>('DecimalString', /^(0|[1-9]\d*)$/)
/** ISO 8601, in UTC. */
export const Timestamp = text<string>('Timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)

/** An object that is described elsewhere: in the specification of Ethereum's JSON-RPC. */
const standard = (title: string) => z.record(z.string(), z.unknown()).meta({ title })

export const BlockObject = standard('Block')
export const TransactionObject = standard('Transaction')
export const ReceiptObject = standard('Receipt')
export const LogObject = standard('Log')
