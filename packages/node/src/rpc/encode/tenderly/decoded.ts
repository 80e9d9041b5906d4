import type { AbiParameter } from 'viem'
import { z } from 'zod'
import type { Reading } from '../../../contracts/knownSignatures/signatures.ts'
import type { Leaves } from '../../../ethereum/abi/outputValue.ts'
import { NetworkError } from '../../../shared/errors.ts'

/** What is known of a selector or topic, and data that was read by it, as Tenderly writes it. */

type Compound = AbiParameter & { components?: readonly AbiParameter[] | undefined }

/** Integers in decimal, booleans as such, addresses in lowercase; arrays and tuples are arrays. */
export type TenderlyValue = string | boolean | TenderlyValue[]

const Value = z.union([z.string(), z.boolean(), z.array(z.unknown())]) as z.ZodType<TenderlyValue, TenderlyValue>

export const TenderlyArgument = z
  .object({ value: Value, type: z.string(), name: z.string() })
  .meta({ title: 'TenderlyArgument' })

const readingOf = <Argument extends z.ZodType>(argument: Argument) =>
  z.object({ name: z.string(), confidence: z.number(), decodedArguments: z.array(argument) })
export const TenderlyReading = readingOf(TenderlyArgument).meta({ title: 'TenderlyReading' })
export const TenderlyEventReading = readingOf(TenderlyArgument.extend({ indexed: z.boolean() })).meta({
  title: 'TenderlyEventReading',
})

/** `components` are those of tuples; a name that is not known is left out. */
export const TenderlySignature = z
  .object({
    name: z.string(),
    inputs: z.array(
      z.object({ type: z.string(), name: z.string().optional(), components: z.array(z.unknown()).optional() }),
    ),
  })
  .meta({ title: 'TenderlySignature' })

export function encodeTenderlyValue(parameter: Compound, value: Leaves): TenderlyValue {
  const { type, components } = parameter
  const inner = /^(.*)\[\d*\]$/.exec(type)?.[1]
  // Of an indexed parameter of such a type, there is only a hash.
  if (typeof value === 'string') return encodeText(inner === undefined && !components ? type : '', value)
  if (inner !== undefined)
    return Array.isArray(value) ? value.map((one) => encodeTenderlyValue({ ...parameter, type: inner }, one)) : []
  const members = Array.isArray(value) ? value : Object.values(value)
  return (components ?? []).map((component, index) => encodeTenderlyValue(component, members[index] ?? ''))
}

function encodeText(type: string, value: string): string | boolean {
  if (type === 'bool') return value === 'true'
  return type === 'address' ? value.toLowerCase() : value
}

/** A parameter without a name is `arg0`, `arg1`, and so on. */
export const encodeArgument = (parameter: Compound & { value: Leaves }, index: number) => ({
  value: encodeTenderlyValue(parameter, parameter.value),
  type: parameter.type,
  name: parameter.name || `arg${index}`,
})

type Item = { name: string; inputs: readonly Compound[] }

export const encodeReading = ({ name, confidence, args, item }: Reading<Item>) => ({
  name,
  confidence,
  decodedArguments: args.map(({ value }, index) =>
    encodeArgument({ ...(item.inputs[index] as Compound), value }, index),
  ),
})

export function encodeEventReading(reading: Reading<Item>): z.output<typeof TenderlyEventReading> {
  const { decodedArguments, ...rest } = encodeReading(reading)
  const isIndexed = (input: object | undefined) => input !== undefined && 'indexed' in input && input.indexed === true
  const withIndexed = decodedArguments.map((argument, index) => ({
    ...argument,
    indexed: isIndexed(reading.item.inputs[index]),
  }))
  return { ...rest, decodedArguments: withIndexed }
}

export const encodeSignature = ({ name, inputs }: Item): z.output<typeof TenderlySignature> => ({
  name,
  inputs: inputs.map((input) => ({
    type: input.type,
    ...(input.name && { name: input.name }),
    ...(input.components && { components: [...input.components] }),
  })),
})

/** Throws `NOT_FOUND` for what is not known. */
export function requireKnown<Value>(resource: string, id: string | undefined, value: Value | undefined): Value {
  if (value === undefined) throw new NetworkError('NOT_FOUND', { resource, id: id ?? '' })
  return value
}
