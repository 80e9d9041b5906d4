import { z } from 'zod'
import type { FunctionOverride } from '../../overrides/functionOverrides.ts'
import { HexAddress, Timestamp } from '../codecs/wire.ts'

export const FunctionOverrideObject = z
  .object({
    id: z.string(),
    contractAddress: HexAddress,
    functionAbi: z.string(),
    inputParams: z.array(z.string()).nullable(),
    returnValues: z.array(z.string()),
    enabled: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ title: 'FunctionOverride' })

export function encodeFunctionOverride(override: FunctionOverride): z.output<typeof FunctionOverrideObject> {
  const { id, address, functionAbi, inputParams, returnValues, enabled, createdAt } = override
  return {
    id,
    contractAddress: address,
    functionAbi,
    inputParams: inputParams ?? null,
    returnValues,
    enabled,
    createdAt: new Date(createdAt).toISOString(),
  }
}

/** An example for the docs. */
export const exampleOverride = {
  id: 'tz4a98xxat96iws9zmbrgj3a',
  contractAddress: '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419',
  functionAbi:
    '{"type":"function","name":"latestAnswer","stateMutability":"view","inputs":[],"outputs":[{"name":"","type":"int256"}]}',
  inputParams: null,
  returnValues: ['150000000000'],
  enabled: true,
  createdAt: '2026-01-01T12:00:00.000Z',
}
