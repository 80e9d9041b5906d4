import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Address, Hex, Word } from '@understudy/evm'
import { z } from 'zod'
import { maxCodeSize } from '../config/options/chain.ts'
import { bigWholeNumber } from '../config/values.ts'
import { codec, firstProblem, formatPath } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import { quantity, wordFromBigint } from '../shared/hex.ts'
import { requireBoundedJson } from '../shared/json/boundedJson.ts'

/** The accounts with which a network begins, as they are stored. */
export type StoredAlloc = Record<Address, { balance: Hex; nonce: Hex; code: Hex; storage: Record<Word, Hex> }>

/** What a genesis file says of a network. */
export type Genesis = {
  chainId: bigint | undefined
  /** Seconds since 1970. */
  timestamp: number | undefined
  baseFeePerGas: bigint | undefined
  coinbase: Address | undefined
  alloc: StoredAlloc
  /** Of all of this: the same for files that say the same. */
  digest: string
}

/** Maximum size of a file, in bytes. */
const fileLimit = 64 * 1024 * 1024

/** Below 2^`bits`, as geth takes it: a number, decimal digits or 0x-hex. */
const numberBelow = (bits: number, what = 'a number') =>
  codec<number | string, bigint>(`${what} below 2^${bits}, in decimal digits or 0x-hex`, (input) => {
    const isText = typeof input === 'string' && /^(\d{1,78}|0x[\da-f]{1,64})$/i.test(input)
    if (!isText && !(Number.isSafeInteger(input) && (input as number) >= 0)) return undefined
    const value = BigInt(input as string | number)
    return value < 1n << BigInt(bits) ? value : undefined
  })

const addressFrom = (input: unknown) =>
  typeof input === 'string' && /^(0x)?[\da-f]{40}$/i.test(input)
    ? (`0x${input.slice(-40).toLowerCase()}` as Address)
    : undefined
const address = codec<string, Address>('an address of 20 bytes in hex', addressFrom)

const wordFrom = (input: unknown) =>
  typeof input === 'string' && /^(0x)?[\da-f]{1,64}$/i.test(input)
    ? wordFromBigint(BigInt(`0x${input.replace(/^0x/i, '')}`))
    : undefined
const word = codec<string, Word>('at most 32 bytes in hex', wordFrom)

const code = codec<string, Hex>(`code in 0x-hex, at most ${maxCodeSize} bytes`, (input) =>
  typeof input === 'string' && input.length <= 2 + 2 * maxCodeSize && /^0x([\da-f]{2})*$/i.test(input)
    ? (input.toLowerCase() as Hex)
    : undefined,
)

/** An object by keys that are decoded, too. */
const mapOf = <Key extends string, Value>(key: z.ZodType<Key, string>, value: z.ZodType<Value, unknown>) =>
  z.record(z.string(), value).transform((entries, context) => {
    const decoded: Record<string, Value> = {}
    for (const [name, each] of Object.entries(entries)) {
      const result = key.safeParse(name)
      const problem = result.success
        ? Object.hasOwn(decoded, result.data)
          ? 'expected each key once, got it twice'
          : undefined
        : result.error.issues[0]?.message
      if (problem !== undefined || !result.success) {
        context.issues.push({ code: 'custom', input: name, path: [name.slice(0, 100)], message: problem ?? '' })
        return z.NEVER
      }
      decoded[result.data] = each
    }
    return decoded as Record<Key, Value>
  })

const account = z.strictObject({
  balance: numberBelow(256).optional(),
  nonce: numberBelow(64).optional(),
  code: code.optional(),
  storage: mapOf(word, word).optional(),
  // Only programs that sign read it.
  secretKey: z.unknown().optional(),
})

/** What else a genesis file has is of no effect here. */
const schema = z.object({
  config: z.object({ chainId: bigWholeNumber(1n, 'a chain id').nullish() }).nullish(),
  timestamp: numberBelow(40, 'seconds since 1970').transform(Number).nullish(),
  baseFeePerGas: numberBelow(64).nullish(),
  coinbase: address.nullish(),
  alloc: mapOf(address, account).nullish(),
})

/** What a genesis file of the user's says, in the form of geth. Throws `CONFIG_INVALID`. */
export async function loadGenesis(path: string): Promise<Genesis> {
  const refuse = (problem: string, field = '') =>
    new NetworkError('CONFIG_INVALID', { option: `--init ${path}${field && `: ${field}`}`, problem })
  let json: unknown
  try {
    const bytes = await readBounded(path)
    requireBoundedJson(bytes)
    json = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'cannot be read')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    const { path: field, text } = firstProblem(parsed.error, json)
    throw refuse(text, formatPath(field).replace(/^\./, ''))
  }
  const { config, timestamp, baseFeePerGas, coinbase, alloc } = parsed.data
  const accounts = Object.entries(alloc ?? {}).map(([name, each]) => {
    const { balance = 0n, nonce = 0n, code = '0x', storage = {} } = each
    return [name, { balance: quantity(balance), nonce: quantity(nonce), code, storage }]
  })
  const said = {
    chainId: config?.chainId ?? undefined,
    timestamp: timestamp ?? undefined,
    baseFeePerGas: baseFeePerGas ?? undefined,
    coinbase: coinbase ?? undefined,
    alloc: Object.fromEntries(accounts) as StoredAlloc,
  }
  const text = JSON.stringify(said, (_, value) => (typeof value === 'bigint' ? quantity(value) : value))
  return { ...said, digest: createHash('sha256').update(text).digest('hex') }
}

async function readBounded(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('expected a file')
    if (stat.size > fileLimit) throw new Error(`expected at most ${fileLimit} bytes, got ${stat.size}`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
