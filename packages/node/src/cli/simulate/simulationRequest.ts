import { createReadStream, existsSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type CallReader, type CallText, CallTextError, readCalls } from '@understudy/client/calls'
import { encodeValues, parseJsonArguments } from '../../ethereum/abi/encodeValues.ts'
import { parseFunctionAbi } from '../../ethereum/abi/functionAbi.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { refuse, weiFrom, wholeNumberFrom } from '../remote/arguments.ts'
import type { RemoteNetwork } from '../remote/network.ts'

type Hex = `0x${string}`

/** What the options say of a call, as they were typed. */
export type CallOptions = {
  from?: string
  to?: string
  value?: string
  data?: string
  function?: string
  args?: string
  gas?: string
  block?: string
  index?: string
  atomic?: boolean
}

/** Longer texts are refused before they are read as a whole. */
const sizeLimit = 4_000_000

/** The request of `dev_simulate`, of an input and options. Throws `INVALID_PARAMS` or `CONFIG_INVALID` that names the field. */
export async function requestFrom(
  network: RemoteNetwork,
  input: string | undefined,
  options: CallOptions,
): Promise<CallText> {
  const { value, data, gas, block, index, atomic } = options
  const [from, to] = [addressFrom('--from', options.from), addressFrom('--to', options.to)]
  const typed = options.function === undefined ? data : callData(options.function, options)
  if (options.function !== undefined && data !== undefined)
    throw refuse('--data', 'is instead of --function and --args. Pass one of them')
  if (options.args !== undefined && options.function === undefined)
    throw refuse('--args', 'is for --function. Pass its signature, too')
  if (input !== undefined && typed !== undefined)
    throw refuse(data === undefined ? '--function' : '--data', 'is instead of an input. Pass one of them')
  const read =
    input === undefined
      ? { calls: [{ ...(from && { from }), ...(to && { to }), ...(typed && { data: bytesFrom(typed) }) }] }
      : await readInput(network, input, { from, to })
  if (input === undefined && !to && typed === undefined)
    throw refuse('INPUT', 'is missing. Pass a file, what a wallet shows, or --to, --function and so on')
  const single = {
    ...(value !== undefined && { value: hexOf(BigInt(weiFrom(value))) }),
    ...(gas !== undefined && { gas: hexOf(BigInt(wholeNumberFrom('--gas', gas))) }),
  }
  if (Object.keys(single).length > 0 && read.calls.length > 1)
    throw refuse(value === undefined ? '--gas' : '--value', `is for one call, and the input has ${read.calls.length}`)
  return {
    ...read,
    calls: read.calls.map((call) => ({ ...call, ...single })),
    ...(block !== undefined && { block: /^\d+$/.test(block) ? hexOf(BigInt(block)) : block }),
    ...(index !== undefined && { transactionIndex: wholeNumberFrom('--index', index) }),
    ...(atomic && { onFailure: 'revert' }),
  }
}

async function readInput(
  network: RemoteNetwork,
  input: string,
  given: { from: Hex | undefined; to: Hex | undefined },
): Promise<CallText> {
  const reader: CallReader = {
    call: (call) => network.call<Hex>('eth_call', [call, 'latest']),
    encode: (fragment, values, field) => encodeCall(fragment, values, field),
  }
  try {
    return await readCalls(await textOf(input), given, reader)
  } catch (error) {
    if (!(error instanceof CallTextError)) throw error
    throw new NetworkError('INVALID_PARAMS', { field: error.field, problem: error.problem }, { cause: error })
  }
}

/** The text itself, or that of a file or of standard input. */
async function textOf(input: string): Promise<string> {
  if (/^\s*(?:0x|[[{])/.test(input)) return input
  if (input === '-') return readAll(process.stdin)
  if (!existsSync(input) || statSync(input).isDirectory())
    throw refuse('INPUT', `there is no file ${input}; it is neither hex nor JSON`)
  return readAll(createReadStream(input))
}

async function readAll(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk
    if (text.length > sizeLimit) throw refuse('INPUT', `has more than ${sizeLimit} characters`)
  }
  return text
}

function callData(signature: string, { args = '[]' }: CallOptions): Hex {
  const values = parseJsonArguments('--args', args)
  return encodeCall(signature, values, '--args')
}

function encodeCall(fragment: unknown, values: readonly unknown[], field: string): Hex {
  const { selector, fragment: parsed } = parseFunctionAbi(fragment, '--function')
  return `${selector}${hexFromBytes(encodeValues(field, parsed.inputs, values)).slice(2)}` as Hex
}

function addressFrom(option: string, text: string | undefined): Hex | undefined {
  if (text === undefined) return undefined
  if (!/^0x[\da-f]{40}$/i.test(text)) throw refuse(option, `expected an address, got "${text.slice(0, 80)}"`)
  return text as Hex
}

function bytesFrom(text: string): Hex {
  if (!/^0x(?:[\da-f]{2})*$/i.test(text)) throw refuse('--data', 'expected 0x-hex bytes')
  return text as Hex
}

const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`
