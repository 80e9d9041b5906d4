import type { AbiParameter } from 'viem'
import type { Leaves } from '../../../ethereum/abi/outputValue.ts'
import type { EncodedOutcome } from '../../../rpc/encode/outcome/outcome.ts'
import { encodeArgument, type TenderlyValue } from '../../../rpc/encode/tenderly/decoded.ts'

export type Call = EncodedOutcome['results'][number]
export type Parameter = NonNullable<Call['returned']>[number]

export type SolidityType = {
  name: string
  type: string
  storage_location: string
  components: SolidityType[] | null
  offset: number
  index: string
  indexed: boolean
  simple_type?: { type: string }
}

const noIndex = `0x${'0'.repeat(64)}`
const isSimple = (type: string) => !/\[|^tuple|^mapping|^struct/.test(type)

export function solidityType(
  { name, type, components = null, indexed = null }: Pick<Parameter, 'name' | 'type'> & Partial<Parameter>,
  { location = 'default', offset = 0, index = noIndex } = {},
): SolidityType {
  const members = (components as Parameter[] | null)?.map((member) => solidityType(member)) ?? null
  return {
    ...{ name, type, storage_location: location, components: members, offset, index, indexed: indexed === true },
    ...(isSimple(type) && { simple_type: { type } }),
  }
}

/** Arguments with their names; one without is `arg0`, `arg1`, and so on. */
export const argumentsOf = (parameters: readonly Parameter[]) =>
  parameters.map((parameter, index) => {
    const components = (parameter.components ?? undefined) as readonly AbiParameter[] | undefined
    return encodeArgument({ ...parameter, components, value: parameter.value as Leaves } as never, index)
  })

/** The same as the REST interface has them. */
export function decodedValues(
  parameters: readonly Parameter[] | null | undefined,
): { soltype: SolidityType; value: TenderlyValue }[] | null {
  if (!parameters) return null
  const named = argumentsOf(parameters)
  return parameters.map((parameter, index) => ({
    soltype: solidityType({ ...parameter, name: named[index]?.name ?? '' }),
    value: named[index]?.value ?? '',
  }))
}
