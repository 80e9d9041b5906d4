import { z } from 'zod'
import { BlockTag } from '../blockTag.ts'
import { optional, withDefault } from '../optional.ts'
import { CallRequest, callFields } from './callRequest.ts'
import { accountOverrideFields, BlockOverrides, blockOverrideFields, StateOverrides } from './overrides.ts'

/** Calls as Tenderly's clients send them: fields that are not known are ignored, and a gas limit of 0 is none. */

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** The fields of an object that have these names; what is no object remains as it is. */
const only = (input: unknown, names: Readonly<Record<string, unknown>>): unknown =>
  isObject(input) ? Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(names, name))) : input

const isZero = (gas: unknown) => gas === 0 || (typeof gas === 'string' && /^(0x)?0{1,64}$/i.test(gas))

const withoutZeroGas = (input: unknown): unknown =>
  isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([name, value]) => !/^gas(Limit)?$/.test(name) || !isZero(value)))
    : input

export const TenderlyCall = z.preprocess((input) => withoutZeroGas(only(input, callFields)), CallRequest)

/** Most calls of a bundle. */
const callLimit = 1000

export const TenderlyCalls = z
  .array(TenderlyCall)
  .min(1, { error: 'is empty; pass at least one call' })
  .max(callLimit, { error: `has more than ${callLimit} calls` })

const TenderlyStateOverrides = z.preprocess(
  (input) =>
    isObject(input)
      ? Object.fromEntries(Object.entries(input).map(([at, given]) => [at, only(given, accountOverrideFields)]))
      : input,
  StateOverrides,
)

const TenderlyBlockOverrides = z.preprocess((input, context) => {
  const found = only(input, blockOverrideFields)
  if (isObject(found) && found.time != null && found.timestamp != null && found.time !== found.timestamp)
    context.issues.push({ code: 'custom', input, path: ['time'], message: 'differs from timestamp; pass one of them' })
  return found
}, BlockOverrides)

/** The parameters after the calls. */
export const tenderlyPointParams = {
  block: withDefault(BlockTag, 'latest'),
  stateOverrides: optional(TenderlyStateOverrides),
  blockOverrides: optional(TenderlyBlockOverrides),
}

/** What they mean, but for the block. */
export const tenderlyPointFields = {
  stateOverrides: 'What accounts have instead of their state, as of `eth_call`.',
  blockOverrides: 'What the block has instead, as of `eth_call`; its time is `timestamp` or `time`.',
}
