import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import type { AccessCounts } from '../../../traces/gas/accesses.ts'
import type { GasProfile } from '../../../traces/gas/gasProfile.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { encodeSourceLocation, sourceLocationFields } from './sourceLocation.ts'

const AccessCountsObject = z
  .object({ accounts: z.number(), slots: z.number(), gas: z.number() })
  .meta({ title: 'AccessCounts' })

const LineGasObject = z
  .object({
    ...sourceLocationFields,
    gas: z.number(),
    /** What its writes earned; negative if they took back what others earned. */
    refund: z.number(),
    /** What it paid for the growth of memory, as part of `gas`. */
    memoryGas: z.number(),
    /** Accesses of accounts and slots; null if it makes none. */
    accesses: z.object({ cold: AccessCountsObject, warm: AccessCountsObject }).nullable(),
  })
  .meta({ title: 'LineGas' })

const CallGasObject = z
  .object({
    ...sourceLocationFields,
    /** The position of its caller in the list; null for the message itself. */
    parent: z.number().nullable(),
    type: z.enum(['FUNCTION', 'CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE', 'CREATE', 'CREATE2', 'SELFDESTRUCT']),
    /** 0 for a function that the compiler moved into its caller. */
    calls: z.number(),
    /** Without that of the calls in it. */
    gas: z.number(),
    /** With it. */
    total: z.number(),
    /** Of a call of a contract: the most bytes that it had, and what the growth cost. */
    memory: z.object({ bytes: z.number(), gas: z.number() }).nullable(),
  })
  .meta({ title: 'CallGas' })

export const GasProfileObject = z
  .object({
    gasUsed: z.number(),
    intrinsic: z.number(),
    refund: z.number(),
    /** Before the limit of refunds. */
    refundEarned: z.number(),
    /** At most 5000, the most expensive first. */
    lines: z.array(LineGasObject),
    /** The gas of the others. */
    others: z.number(),
    /** A tree of at most 5000: functions and contracts by the path of calls to them. */
    calls: z.array(CallGasObject),
    /** The first 1000 cold accesses, in order; of an account, `slot` is null. */
    cold: z.array(z.object({ ...sourceLocationFields, account: HexAddress, slot: HexWord.nullable() })),
  })
  .meta({ title: 'GasProfile' })

export function encodeGasProfile(profile: GasProfile): z.output<typeof GasProfileObject> {
  const { gasUsed, intrinsic, refund, refundEarned, lines, others, calls, cold } = profile
  return {
    gasUsed: Number(gasUsed),
    intrinsic: Number(intrinsic),
    refund: Number(refund),
    refundEarned: Number(refundEarned),
    lines: lines.map(({ accesses, ...line }) => ({
      ...encodeSourceLocation(line),
      gas: Number(line.gas),
      refund: Number(line.refund),
      memoryGas: Number(line.memoryGas),
      accesses: accesses ? { cold: encodeCounts(accesses.cold), warm: encodeCounts(accesses.warm) } : null,
    })),
    others: Number(others),
    calls: calls.map(({ parent, type, calls: count, gas, total, memory, ...location }) => ({
      ...encodeSourceLocation(location),
      parent: parent ?? null,
      type,
      calls: count,
      gas: Number(gas),
      total: Number(total),
      memory: memory ? { bytes: memory.bytes, gas: Number(memory.gas) } : null,
    })),
    cold: cold.map(({ line, account, slot }) => ({
      ...encodeSourceLocation(line),
      account,
      slot: slot === undefined ? null : wordFromBigint(slot),
    })),
  }
}

const encodeCounts = ({ accounts, slots, gas }: AccessCounts) => ({ accounts, slots, gas: Number(gas) })
