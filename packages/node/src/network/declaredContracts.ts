import type { Address, Hex } from '@understudy/evm'
import { type Abi, type AbiFunction, parseAbiItem, toFunctionSignature } from 'viem'
import { z } from 'zod'
import type { ChainContract } from '../ethereum/chains/contracts/chainContract.ts'

/** As many as the engine has room for beside those of a known chain. */
const contractLimit = 16
const abiLimit = 1_000

const hex = (pattern: RegExp, error: string) =>
  z
    .string()
    .regex(pattern, error)
    .transform((text) => text.toLowerCase() as Hex)

const Declared = z
  .strictObject({
    name: z.string().min(1).max(100),
    address: hex(/^0x[\da-fA-F]{40}$/, 'expected an address').optional(),
    prefix: hex(/^0x([\da-fA-F]{2}){2,19}$/, 'expected 2 to 19 bytes as hex').optional(),
    abi: z.array(z.unknown()).max(abiLimit).optional(),
    answeredBy: z.enum(['liveChain', 'refused']),
  })
  .transform(({ name, address, prefix, abi = [], answeredBy }, context): ChainContract => {
    const refuse = (field: string, message: string, ...path: number[]) => {
      context.addIssue({ code: 'custom', path: [field, ...path], message })
      return z.NEVER
    }
    const at = address ?? prefix
    if (at === undefined || (address && prefix)) return refuse('address', 'expected either an address or a prefix')
    const field = address ? 'address' : 'prefix'
    if (address ? isPrecompile(address) : BigInt(at) === 0n) return refuse(field, 'Ethereum has precompiles there')
    if (answeredBy === 'liveChain' && abi.length === 0)
      return refuse('abi', 'expected the functions of the contract: it says which are views')
    const items: Abi[number][] = []
    for (const [index, fragment] of abi.entries()) {
      const item = itemFrom(fragment)
      if (typeof item === 'string') return refuse('abi', item, index)
      items.push(item)
    }
    return { name, at, abi: items, answeredBy }
  })

/** The field `contracts` of a profile. */
export const DeclaredContracts = z
  .array(Declared)
  .max(contractLimit)
  .superRefine((contracts, context) => {
    for (const [index, { at }] of contracts.entries())
      if (contracts.findIndex((other) => other.at === at) !== index)
        context.addIssue({ code: 'custom', path: [index], message: `${at} is declared twice` })
  })

function isPrecompile(address: Address): boolean {
  const number = BigInt(address)
  return number <= 0x11n || number === 0x100n
}

const Item = z.looseObject({
  type: z.enum(['function', 'event', 'error', 'constructor', 'fallback', 'receive']),
  name: z.string().optional(),
  inputs: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
})

/** A fragment of an ABI: a line of Solidity, or JSON; a text is the problem with it. */
function itemFrom(fragment: unknown): Abi[number] | string {
  try {
    if (typeof fragment === 'string') return parseAbiItem(fragment) as Abi[number]
    const item = Item.safeParse(fragment)
    if (!item.success) return 'expected a line of Solidity, or a fragment of the JSON of an ABI'
    const { type } = item.data
    // Its types are read as those of a line.
    if (type === 'function' || type === 'event' || type === 'error')
      parseAbiItem(`function ${toFunctionSignature({ ...item.data, type: 'function' } as unknown as AbiFunction)}`)
    return item.data as unknown as Abi[number]
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split('\n')
    return lines
      .filter((line) => line !== '' && !line.startsWith('Version:'))
      .join(' ')
      .slice(0, 300)
  }
}
