import { z } from 'zod'

const address = /^0x[\da-fA-F]{40}$/

/** Parameters that several tools have. */
export const Account = z
  .string()
  .regex(address, { error: 'expected an address: 0x and 40 hex digits' })
  .transform((text) => text as `0x${string}`)

export const Contract = z
  .string()
  .min(1)
  .max(200)
  .describe('the address of a contract, or the name of one that has a workspace')

export const FunctionText = z
  .string()
  .min(1)
  .max(10_000)
  .describe(
    'a name (transfer), a signature (transfer(address,uint256)), or, if the ABI is unknown, a declaration: function price() view returns (uint256)',
  )

export const Arguments = z
  .array(z.unknown())
  .max(100)
  .default([])
  .describe('in order; integers in the smallest unit, as decimal text; tuples as arrays or objects')

export const Hash = z
  .string()
  .regex(/^0x[\da-fA-F]{64}$/, { error: 'expected a transaction hash: 0x and 64 hex digits' })
  .transform((text) => text as `0x${string}`)
  .describe('of a transaction')

export const BlockNumber = z.int().min(0)

/** What a transaction or a simulation calls. */
export const callFields = {
  from: Account.describe('any account; no key is needed'),
  to: Contract.optional().describe(
    'the called contract or receiver: an address, or the name of a contract with a workspace',
  ),
  function: FunctionText.optional(),
  args: Arguments,
  value: z.string().max(100).optional().describe('ether to send: 1.5, 1.5 ETH, 30 gwei or 5 wei'),
  data: z
    .string()
    .max(100_000)
    .regex(/^0x([\da-fA-F]{2})*$/, { error: 'expected 0x-hex bytes' })
    .optional()
    .describe('call data as 0x-hex, instead of function and args'),
}
