import { readFile } from 'node:fs/promises'
import { pricesOf } from '@understudy/evm'
import { z } from 'zod'
import type { ProfilePrices } from '../ethereum/chains/prices/chainPrices.ts'
import { type ChainProfile, feesOfStack } from '../ethereum/chains/profile.ts'
import { hardforkNames } from '../ethereum/rules.ts'
import { firstProblem, formatPath } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import { DeclaredContracts } from './declaredContracts.ts'

const wei = z.string().regex(/^\d+$/, 'expected wei in decimal digits')
const part = z.number().int().min(1).max(1_000_000)

const gas = z.number().int().min(0).max(2_147_483_647)
const partOfGas = z.number().min(0).max(2_147_483_647)
const PrecompilePrice = z.strictObject({
  base: gas,
  perWord: partOfGas.default(0),
  perByte: partOfGas.optional(),
  factor: partOfGas.optional(),
})
/** By the names that `pricesOf` has. */
const Prices = z.strictObject({
  ...Object.fromEntries(Object.keys(pricesOf('berlin')).map((name) => [name, gas.optional()])),
  precompiles: z
    .record(z.string().regex(/^0x[\da-f]{40}$/, 'expected an address in lowercase'), PrecompilePrice)
    .optional(),
})

const schema = z.strictObject({
  chainId: z.number().int().min(1),
  name: z.string().min(1),
  currency: z
    .strictObject({ name: z.string().min(1), symbol: z.string().min(1), decimals: z.number().int().min(0).max(36) })
    .default({ name: 'Ether', symbol: 'ETH', decimals: 18 }),
  stack: z.enum(['ethereum', 'optimism', 'arbitrum']).default('ethereum'),
  fees: z
    .union([
      z.strictObject({ type: z.enum(['optimism', 'steady']) }),
      z.strictObject({ type: z.literal('eip1559'), denominator: part, elasticity: part, minimum: wei.default('0') }),
    ])
    .optional(),
  blockTimeMs: z.number().int().min(1).optional(),
  // Pages link to it.
  explorer: z.url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' }).optional(),
  hardfork: z.enum(hardforkNames as [string, ...string[]]).optional(),
  prices: Prices.optional(),
  contracts: DeclaredContracts.optional(),
})

/** The profile of a chain, of a file of the user's. Throws `CONFIG_INVALID`. */
export async function loadChainProfile(path: string): Promise<ChainProfile> {
  const refuse = (problem: string, field = '') => new NetworkError('CONFIG_INVALID', { option: path + field, problem })
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'cannot be read')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    const { path: field, text } = firstProblem(parsed.error, json)
    throw refuse(text, formatPath(field))
  }
  const { fees, hardfork, prices, blockTimeMs, explorer, contracts, ...rest } = parsed.data
  return {
    ...rest,
    blockTimeMs,
    explorer,
    fees: fees === undefined ? feesOfStack(rest.stack) : feesFrom(fees),
    ...(hardfork !== undefined && { hardfork }),
    ...(prices && { prices: prices as ProfilePrices }),
    ...(contracts && { contracts }),
  }
}

type Fees = NonNullable<z.infer<typeof schema>['fees']>

function feesFrom(fees: Fees): ChainProfile['fees'] {
  if (fees.type !== 'eip1559') return { type: fees.type }
  const { denominator, elasticity, minimum } = fees
  return {
    type: 'eip1559',
    denominator: BigInt(denominator),
    elasticity: BigInt(elasticity),
    minimum: BigInt(minimum),
  }
}
