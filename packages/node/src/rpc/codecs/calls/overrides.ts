import { z } from 'zod'
import type { CallOverrides } from '../../../execution/execution.ts'
import type { StateOverrides as Overrides } from '../../../execution/stateOverrides.ts'
import type { SimulatedBlockOverrides as SimulatedOverrides } from '../../../simulation/simulatedChain.ts'
import { Address, Bytes, Hash } from '../hex.ts'
import { Quantity, Quantity64, Slot } from '../numbers.ts'
import { optional } from '../optional.ts'

const Storage = z
  .record(Slot as z.ZodType<`0x${string}`, string>, Quantity)
  .transform((slots) => new Map(Object.entries(slots)))

export const accountOverrideFields = {
  balance: optional(Quantity),
  nonce: optional(Quantity64),
  code: optional(Bytes),
  state: optional(Storage),
  stateDiff: optional(Storage),
  movePrecompileToAddress: optional(Address),
}

const AccountOverride = z
  .strictObject(accountOverrideFields)
  .transform(({ movePrecompileToAddress, ...fields }) => ({ ...fields, movePrecompileTo: movePrecompileToAddress }))
  .refine(({ state, stateDiff }) => !(state && stateDiff), {
    error:
      'has both state, which replaces the whole storage, and stateDiff, which replaces single slots; pass one of them',
  })

/** State overrides of a call, by address. */
export const StateOverrides = z
  .record(Address as z.ZodType<`0x${string}`, string>, AccountOverride)
  .transform(
    (accounts) =>
      new Map(Object.entries(accounts).map(([address, fields]) => [address, withoutGaps(fields)])) as Overrides,
  )
  .meta({
    title: 'StateOverrides',
    description:
      'an object of accounts by address, each with any of balance, nonce, code, movePrecompileToAddress, and either state (the whole storage) or stateDiff (single slots)',
  })

export const blockOverrideFields = {
  number: optional(Quantity64),
  time: optional(Quantity64),
  timestamp: optional(Quantity64),
  gasLimit: optional(Quantity64),
  feeRecipient: optional(Address),
  coinbase: optional(Address),
  prevRandao: optional(Quantity),
  random: optional(Quantity),
  difficulty: optional(Quantity),
  baseFeePerGas: optional(Quantity),
  baseFee: optional(Quantity),
  blobBaseFee: optional(Quantity),
}

const CalledBlock = z.strictObject(blockOverrideFields)

/** Block overrides of a call. Accepts geth's field names and those of its first version. */
export const BlockOverrides = CalledBlock.transform(contextOf).meta({
  title: 'BlockOverrides',
  description: 'an object with any of number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee',
})

const Withdrawal = z.strictObject({
  index: Quantity64,
  validatorIndex: Quantity64,
  address: Address,
  amount: Quantity64,
})

/** Overrides of a simulated block, which has its own header and body. */
export const SimulatedBlockOverrides = CalledBlock.extend({
  beaconRoot: optional(Hash),
  parentBeaconBlockRoot: optional(Hash),
  withdrawals: optional(z.array(Withdrawal).max(16, { error: 'has more than 16 withdrawals' })),
})
  .transform(
    ({ beaconRoot, parentBeaconBlockRoot = beaconRoot, withdrawals, ...called }): SimulatedOverrides => ({
      ...contextOf(called),
      ...withoutGaps({ parentBeaconBlockRoot, withdrawals }),
    }),
  )
  .meta({
    title: 'SimulatedBlockOverrides',
    description:
      'an object with any of number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, beaconRoot, withdrawals',
  })

function contextOf(given: z.output<typeof CalledBlock>): NonNullable<CallOverrides['block']> {
  return withoutGaps({
    number: given.number,
    timestamp: given.time ?? given.timestamp,
    gasLimit: given.gasLimit,
    coinbase: given.feeRecipient ?? given.coinbase,
    prevRandao: given.prevRandao ?? given.random ?? given.difficulty,
    baseFee: given.baseFeePerGas ?? given.baseFee,
    blobBaseFee: given.blobBaseFee,
  })
}

/** Omits `undefined` fields, which would hide the real values when spread over them. */
function withoutGaps<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}
