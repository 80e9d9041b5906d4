import type { Address, Hex } from 'viem'
import type { CallReader, CallText, Given } from './callText.ts'
import { CallTextError, type Fields, isFields, shown } from './fields.ts'
import { callOfRawTransaction } from './rawTransaction.ts'
import { builderTransactions, isServiceTransaction, serviceTransaction } from './safe.ts'
import { type CallFields, isCall, walletCall } from './walletCall.ts'

/** The most characters of a text: a hundred transactions with 20 000 bytes each. */
const textLimit = 4_000_000
const callLimit = 1000

/** Fields of `dev_simulate` that a file may have beside its calls. The network reads them. */
const requestFields = [
  'block',
  'transactionIndex',
  'stateOverrides',
  'blockOverrides',
  'onFailure',
  'validation',
] as const

/**
 * Reads the calls of a text. In JSON: a transaction as a wallet shows it, or several in a list; the request of a wallet
 * (`eth_sendTransaction`, `wallet_sendCalls`); a transaction of a Safe, as its transaction service or its transaction builder
 * writes it; the request of `dev_simulate`. In hex: an encoded transaction, signed or not, or call data, for which `to` says
 * what is called. `from` is the sender, whatever the text says. Throws `CallTextError` that names the field.
 */
export async function readCalls(text: string, { from, to }: Given, reader: CallReader): Promise<CallText> {
  if (text.length > textLimit) throw new CallTextError('text', `has more than ${textLimit} characters`)
  const trimmed = text.trim()
  const found = /^[[{]/.test(trimmed)
    ? await readJson(parsed(trimmed), { from }, reader)
    : { calls: [await readHex(trimmed, to)] }
  if (found.calls.length === 0) throw new CallTextError('calls', 'expected at least one')
  if (found.calls.length > callLimit)
    throw new CallTextError('calls', `expected at most ${callLimit}, got ${found.calls.length}`)
  return { ...found, calls: found.calls.map((call) => ({ ...call, ...(from && { from }) })) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CallTextError('text', `looks like JSON, and is not: ${(error as Error).message.slice(0, 200)}`)
  }
}

async function readHex(text: string, to: Address | undefined): Promise<CallFields> {
  // Copied texts may have line breaks.
  const bytes = text.replace(/\s+/g, '') as Hex
  if (!/^0x(?:[\da-f]{2})+$/i.test(bytes))
    throw new CallTextError('text', `expected JSON, an encoded transaction or call data in hex, got ${shown(text)}`)
  const call = to ? undefined : await callOfRawTransaction(bytes)
  if (call) return call
  if (!to) throw new CallTextError('to', 'is missing: call data does not say which contract is called')
  return { to, data: bytes }
}

async function readJson(json: unknown, { from }: Given, reader: CallReader): Promise<CallText> {
  if (Array.isArray(json)) return { calls: callsIn(json, '') }
  if (!isFields(json)) throw new CallTextError('text', `expected an object or a list, got ${shown(json)}`)
  const { params, calls, transactions } = json
  if (isServiceTransaction(json)) return serviceTransaction(json, from, reader)
  if (Array.isArray(transactions)) return builderTransactions(json, transactions, reader)
  // The request of a wallet: eth_sendTransaction, or wallet_sendCalls.
  const asked: unknown = Array.isArray(params) ? params[0] : undefined
  if (isFields(asked))
    return Array.isArray(asked.calls) ? requestOf(asked, asked.calls) : { calls: [walletCall(asked, 'params[0]')] }
  if (Array.isArray(calls)) return requestOf(json, calls)
  if (isCall(json)) return { calls: [walletCall(json, '')] }
  throw new CallTextError('text', 'has neither to nor data, nor a list of calls or transactions')
}

/** The request of `dev_simulate`, or of `wallet_sendCalls`, which has one sender for all calls. */
function requestOf(json: Fields, calls: readonly unknown[]): CallText {
  const given = requestFields.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]] as const]))
  const { from } = walletCall({ from: json.from }, '')
  return {
    ...(json.atomicRequired === true && { onFailure: 'revert' }),
    ...Object.fromEntries(given),
    calls: callsIn(calls, 'calls').map((call) => ({ ...(from && { from }), ...call })),
  }
}

function callsIn(list: readonly unknown[], at: string): CallFields[] {
  return list.map((each, index) => {
    const path = `${at}[${index}]`
    if (!isFields(each)) throw new CallTextError(path, `expected an object, got ${shown(each)}`)
    if (!isCall(each)) throw new CallTextError(path, 'has neither to nor data')
    return walletCall(each, path)
  })
}
