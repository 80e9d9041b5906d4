import { z } from 'zod'
import { Address, Bytes } from '../hex.ts'
import { ChainId, Quantity } from '../numbers.ts'
import { optional, withDefault } from '../optional.ts'

/** Capabilities by name; one with `optional: true` may be ignored. */
const Capabilities = z.record(z.string(), z.looseObject({ optional: z.boolean().optional() }))

const requiredOf = (given: z.output<typeof Capabilities> | undefined) =>
  Object.entries(given ?? {})
    .filter(([, { optional: isOptional }]) => isOptional !== true)
    .map(([name]) => name)

const Call = z
  .strictObject({
    to: optional(Address),
    value: optional(Quantity),
    data: optional(Bytes),
    capabilities: optional(Capabilities),
    /** In version 1.0. */
    chainId: optional(ChainId),
  })
  .refine(({ to, data }) => to || data, { error: 'has neither to nor data' })

/** A bundle of calls (EIP-5792). The id is a string of at most 4096 bytes. */
export const WalletCalls = z
  .strictObject({
    version: withDefault(z.string(), '2.0.0'),
    id: optional(z.string().min(1).max(8194)),
    from: optional(Address),
    chainId: ChainId,
    atomicRequired: withDefault(z.boolean(), false),
    calls: z.array(Call).min(1, { error: 'has no calls' }),
    capabilities: optional(Capabilities),
  })
  .refine(({ chainId, calls }) => calls.every((call) => (call.chainId ?? chainId) === chainId), {
    error: 'has calls for another chainId than its own',
  })
  .transform(({ capabilities, calls, version: _, ...request }) => ({
    ...request,
    calls: calls.map(({ to, value, data }) => ({
      ...(to !== undefined && { to }),
      ...(value !== undefined && { value }),
      ...(data !== undefined && { data }),
    })),
    requiredCapabilities: [...requiredOf(capabilities), ...calls.flatMap((call) => requiredOf(call.capabilities))],
  }))
  .meta({
    title: 'WalletCalls',
    description:
      'a bundle of EIP-5792: version, chainId, calls (each with to, value, data), atomicRequired, and optionally from, id, capabilities',
  })
