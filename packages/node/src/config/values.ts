import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Word } from '@understudy/evm'
import { codec } from '../shared/codec.ts'
import { type Role, roles } from '../shared/role.ts'

const aNumber = { optionType: 'number' }
const aBigNumber = { optionType: 'number | bigint' }

/** A whole number within bounds, as a number or in decimal digits. */
export const wholeNumber = (min: number, max: number, what = 'a whole number') =>
  codec<number | string, number>(
    `${what} from ${min} to ${max}`,
    (input) => {
      const value = typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
        ? value
        : undefined
    },
    aNumber,
  )

/** A number above 0, also one with decimals. */
export const positiveNumber = (max: number, what: string) =>
  codec<number | string, number>(
    `${what} above 0, up to ${max}`,
    (input) => {
      const value = typeof input === 'string' && /^[\d.]+$/.test(input) ? Number(input) : input
      return typeof value === 'number' && value > 0 && value <= max ? value : undefined
    },
    aNumber,
  )

/** A number of things to do, or `off` for none. */
export const countOrOff = (what: string) =>
  codec<number | string, number>(
    `${what} from 0 to 5000, or off`,
    (input) => {
      const value = input === 'off' ? 0 : typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 5000 ? value : undefined
    },
    { optionType: "number | 'off'" },
  )

/** A whole number without a practical upper bound, as a bigint, number, decimal digits or 0x-hex. */
export const bigWholeNumber = (min: bigint, what = 'a whole number') =>
  codec<bigint | number | string, bigint>(
    `${what} of at least ${min}`,
    (input) => {
      const isText = typeof input === 'string' && /^(\d+|0x[\da-f]+)$/i.test(input)
      if (!isText && typeof input !== 'bigint' && !Number.isSafeInteger(input)) return undefined
      const value = BigInt(input as string | number | bigint)
      return value >= min && value < 2n ** 64n ? value : undefined
    },
    aBigNumber,
  )

/** A block of the live chain; one below 0 counts from its head. */
export const forkBlock = codec<bigint | number | string, bigint>(
  'a block number, or -N for the block N before the head',
  (input) => {
    const isBelow = typeof input === 'string' && /^-\d{1,19}$/.test(input)
    if (!isBelow && typeof input === 'string' && !/^(\d{1,20}|0x[\da-f]{1,16})$/i.test(input)) return undefined
    if (typeof input !== 'string' && typeof input !== 'bigint' && !Number.isSafeInteger(input)) return undefined
    const value = BigInt(input as string | number | bigint)
    return value > -(2n ** 63n) && value < 2n ** 64n ? value : undefined
  },
  aBigNumber,
)

export const transactionHash = codec<string, Word>(
  'a transaction hash of 32 bytes in 0x-hex',
  (input) => (typeof input === 'string' && /^0x[\da-f]{64}$/i.test(input) ? (input.toLowerCase() as Word) : undefined),
  { optionType: `\`0x\${string}\`` },
)

/** `true` and `false`, as booleans or strings. */
export const trueOrFalse = codec<boolean | string, boolean>(
  'true or false',
  (input) =>
    input === true || input === 'true' || input === '1'
      ? true
      : input === false || input === 'false' || input === '0'
        ? false
        : undefined,
  { optionType: 'boolean' },
)

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  codec<string, Values[number]>(
    `one of ${values.join(', ')}`,
    (input) => ((values as readonly unknown[]).includes(input) ? (input as Values[number]) : undefined),
    { optionType: values.map((value) => `'${value}'`).join(' | ') },
  )

export const text = (what: string, pattern = /\S/) =>
  codec<string, string>(what, (input) => (typeof input === 'string' && pattern.test(input) ? input : undefined))

/** The path of a local socket: `true` stands for anvil's. The system takes no longer ones. */
export const socketPath = codec<string | boolean, string>(
  'the path of a local socket, at most 103 bytes',
  (input) => {
    const path = input === true || input === 'true' ? defaultSocketPath : input
    return typeof path === 'string' && /\S/.test(path) && Buffer.byteLength(path) <= 103 ? path : undefined
  },
  { optionType: 'string | true' },
)

/** Where anvil listens. */
export const defaultSocketPath = '/tmp/anvil.ipc'

/** A list, as an array or a comma-separated string. */
export function listOf<Value extends NonNullable<unknown>>(
  what: string,
  decodeItem: (item: string) => Value | undefined,
) {
  return codec<string | readonly string[], Value[]>(
    what,
    (input) => {
      const items = typeof input === 'string' ? input.split(',').map((item) => item.trim()) : input
      if (!Array.isArray(items)) return undefined
      const values = items.map((item) => (typeof item === 'string' ? decodeItem(item) : undefined))
      return values.includes(undefined) ? undefined : (values as Value[])
    },
    { optionType: 'string | readonly string[]' },
  )
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const httpUrl = codec<string, string>('an http:// or https:// URL', (input) =>
  typeof input === 'string' && isHttpUrl(input) ? input : undefined,
)

/** The URL of a server, whose paths are added to it: without a slash at its end. */
export const serverUrl = codec<string, string>('an http:// or https:// URL without a query', (input) =>
  typeof input === 'string' && isHttpUrl(input) && !/[?#]/.test(input) ? input.replace(/\/$/, '') : undefined,
)

export const postgresUrl = codec<string, string>('a postgres:// URL', (input) =>
  typeof input === 'string' && /^postgres(ql)?:\/\//i.test(input) && URL.canParse(input) ? input : undefined,
)

/** A name that needs no quotes in SQL and is not reserved by PostgreSQL. */
export const networkName = text(
  'lower-case letters, digits and underscores, at most 63, starting with a letter, but not with pg_',
  /^(?!pg_|information_schema$)[a-z][a-z\d_]{0,62}$/,
)

/** A local socket as a URL: from its path, or from `ipc:` or `file:` and its absolute path. */
function socketUrl(text: string): string | undefined {
  const named = /^(?:ipc|file):(?:\/\/)?(\/(?!\/).*)$/i.exec(text)?.[1]
  if (named !== undefined)
    return URL.canParse(`ipc://${named}`) ? new URL(`ipc://${named}`).href.replace(/ /g, '%20') : undefined
  const isPath = /^(\.{0,2}\/|\\\\)/.test(text) || (text.endsWith('.ipc') && !text.includes(':'))
  return isPath ? pathToFileURL(resolve(text)).href.replace(/^file:/, 'ipc:') : undefined
}

/** URLs of a chain as HTTP URLs, where WebSocket is tried at the same address, or as `ipc:` URLs of local sockets. */
export const chainUrls = listOf('http://, https://, ws:// or wss:// URLs, or paths of local sockets', (item) => {
  const socket = socketUrl(item)
  if (socket !== undefined) return socket
  const url = item.replace(/^ws(?=s?:\/\/)/i, 'http')
  return isHttpUrl(url) ? url : undefined
})

/** HTTP headers as `Name: value`; one string may contain several, separated by line breaks. */
export const httpHeaders = codec<string | readonly string[] | Record<string, string>, Record<string, string>>(
  'HTTP headers of the form "Name: value", but none of the connection or of the body',
  (input) => {
    const lines = typeof input === 'string' ? input.split('\n') : input
    if (typeof lines !== 'object' || lines === null) return undefined
    const pairs = Array.isArray(lines) ? lines.map(headerOfLine) : Object.entries(lines)
    if (pairs.length > headerLimit) return undefined
    const headers: Record<string, string> = {}
    for (const [name, value] of pairs) {
      if (!isOwnHeader(name) || typeof value !== 'string' || !headerValue.test(value)) return undefined
      headers[name] = value
    }
    return headers
  },
  { optionType: 'string | readonly string[] | Readonly<Record<string, string>>' },
)

const headerLimit = 100
/** As Node.js sends them: without control characters, which would end the header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]{1,8192}$/
/** What belongs to the connection, or to the body that is sent. */
const headersOfConnection =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*)$/i

const isOwnHeader = (name: string) => /^[!#$%&'*+.^_`|~\w-]{1,200}$/.test(name) && !headersOfConnection.test(name)

function headerOfLine(line: unknown): [name: string, value: string] {
  const [name = '', ...rest] = String(line).split(':')
  return [name.trim(), rest.join(':').trim()]
}

/** Ether with up to 18 decimals, as wei. A bigint is already wei. */
export const etherAsWei = codec<string | number | bigint, bigint>(
  'an amount of ether such as 10000 or 0.5',
  (input) => {
    if (typeof input === 'bigint') return input >= 0n ? input : undefined
    const match = /^(\d{1,50})(?:\.(\d{1,18}))?$/.exec(String(input))
    return match ? BigInt(match[1] + (match[2] ?? '').padEnd(18, '0')) : undefined
  },
  { optionType: `number | \`\${number}\`` },
)

/** An API key and its role. */
export type ApiKey = { key: string; role: Role }

/** Keys that are safe in a URL and long enough not to be guessed. */
const keyAndRole = new RegExp(`^([\\w.~-]{16,200}):(${roles.join('|')})$`)

export const apiKeys = listOf(
  `KEY:ROLE with a key of 16 to 200 letters, digits and ._~- and one of the roles ${roles.join(', ')}`,
  (item): ApiKey | undefined => {
    const match = keyAndRole.exec(item)
    return match ? { key: match[1] as string, role: match[2] as Role } : undefined
  },
)
