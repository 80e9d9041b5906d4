import { type CallText, CallTextError, readCalls } from '@understudy/client/calls'
import type { Params } from '@understudy/client/methods'
import {
  approvalNote,
  approvalText,
  assetText,
  type Currency,
  failureText,
  type SimulatedCall,
  type Simulation,
  stateChangesOf,
} from '@understudy/client/simulations'
import { z } from 'zod'
import { encodeValues } from '../../ethereum/abi/encodeValues.ts'
import { type FunctionAbi, parseFunctionAbi } from '../../ethereum/abi/functionAbi.ts'
import { sendTransaction as sendTransactionMethod } from '../../rpc/methods/eth/sendTransaction.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { loadCurrency } from '../amounts.ts'
import { decodeReturned, encodeCall } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { callFields } from '../inputs.ts'
import type { ToolNetwork } from '../toolNetwork.ts'
import { callText, locationText } from '../transactions.ts'

type Hex = `0x${string}`

/** So many entries of a list are in an answer, beside the changes of the state, which come in pages. */
const listLimit = 20

const Pasted = z
  .string()
  .max(100_000)
  .optional()
  .describe(
    'instead of to, function, args, value and data: what a wallet or a Safe shows. JSON of a transaction, of several, of a Safe (transaction service or builder), or an encoded transaction in hex',
  )

const input = { ...callFields, from: callFields.from.optional(), transaction: Pasted }

export const simulate = defineTool({
  name: 'simulate',
  example: exampleOf(sendTransactionMethod, ([{ from, to, value }]) => ({ from, to, value: `${BigInt(value)} wei` })),
  description:
    'What would this transaction do if it were sent now? Which assets move, who may take what afterwards, what each address gains and loses, whether it succeeds, the line where it fails, what it returns, events, fee, and every change of the state. Nothing is stored, and no key is needed.',
  effect: 'reads',
  input,
  hasPages: true,
  async run(network, given) {
    const { request, fn } = await requestOf(network, given)
    const simulation = await network.call('dev_simulate', request as Params<'dev_simulate'>[0])
    const currency = await loadCurrency(network)
    const { results, isUndone } = simulation
    const [only] = results
    const fields =
      only && results.length === 1
        ? describeCall(only, currency, fn)
        : { calls: results.map((call) => describeCall(call, currency, undefined)) }
    return {
      fields: {
        ...fields,
        undone: isUndone ? 'all calls are undone, because one fails: nothing would change' : undefined,
        dashboard: network.link('/simulate'),
      },
      list: { name: 'stateChanges', items: stateItems(simulation, currency) },
    }
  },
})

type Given = z.output<z.ZodObject<typeof input>>

async function requestOf(
  network: ToolNetwork,
  { transaction, ...given }: Given,
): Promise<{ request: CallText; fn: FunctionAbi | undefined }> {
  const { from, to, data, value, args } = given
  if (transaction === undefined) {
    if (!from) throw invalid('from', 'is missing. Pass any account; no key is needed')
    const { call, fn } = await encodeCall(network, { ...given, from })
    return { request: { calls: [call] }, fn }
  }
  const other = Object.entries({ to, function: given.function, data, value }).find(([, each]) => each !== undefined)
  if (other || args.length > 0) throw invalid(other?.[0] ?? 'args', 'is part of the transaction. Pass one of them')
  return { request: await readPasted(network, transaction, from), fn: undefined }
}

async function readPasted(network: ToolNetwork, text: string, from: Hex | undefined): Promise<CallText> {
  try {
    return await readCalls(
      text,
      { from },
      {
        call: (call) => network.call<Hex>('eth_call', call, 'latest'),
        encode(fragment, values, field) {
          const { selector, fragment: parsed } = parseFunctionAbi(fragment, field)
          return `${selector}${hexFromBytes(encodeValues(field, parsed.inputs, values)).slice(2)}` as Hex
        },
      },
    )
  } catch (error) {
    if (!(error instanceof CallTextError)) throw error
    throw invalid(`transaction, ${error.field}`, error.problem)
  }
}

const invalid = (field: string, problem: string) => new NetworkError('INVALID_PARAMS', { field, problem })

/** What moves and who may take it comes first. */
function describeCall(call: SimulatedCall, currency: Currency, fn: FunctionAbi | undefined): Record<string, unknown> {
  const { status, message, function: called, error, output, gasUsed, fee, logs, truncated } = call
  const succeeded = status === 'succeeded'
  return {
    status: succeeded ? 'it would succeed' : 'it would fail',
    from: message.from,
    to: message.to,
    call: called ? callText(called) : undefined,
    assetChanges: call.assetChanges.slice(0, listLimit).map((change) => describeMove(call, change, currency)),
    approvals: call.approvals.slice(0, listLimit).map((approval) => describeApproval(call, approval, currency)),
    balances: call.balanceChanges.slice(0, listLimit).map(({ address, assets }) => ({
      address,
      net: assets.map((asset) => assetText(call, { ...asset, amount: asset.net }, currency)),
    })),
    warnings: call.contracts.flatMap(
      ({ address, token }) => token?.problems.map((text) => `${address}: ${text}`) ?? [],
    ),
    reason: error ? failureText(error) : undefined,
    failedAt: error?.stack.slice(0, listLimit).map(locationText),
    returned: succeeded ? (fn ? decodeReturned(fn, output) : namedValues(call.returned)) : undefined,
    events: logs
      .slice(0, listLimit)
      .map(
        ({ address, topics, event }) =>
          `${address}.${event ? callText(event) : `unknown event (${topics[0] ?? 'no topic'})`}`,
      ),
    gasUsed: Number(gasUsed),
    fee: assetText(call, { kind: 'native', token: null, tokenId: null, formatted: null, amount: fee.total }, currency),
    leftOut: truncated.length > 0 ? truncated : undefined,
  }
}

function describeMove(call: SimulatedCall, change: SimulatedCall['assetChanges'][number], currency: Currency) {
  const { type, from, to, token, isWrap, inferred } = change
  return {
    what: assetText(call, change, currency),
    ...(type !== 'transfer' && { type }),
    from,
    to,
    token,
    ...(isWrap && { isWrap }),
    ...(inferred && { note: 'no event tells of it: the balances changed' }),
  }
}

function describeApproval(call: SimulatedCall, approval: SimulatedCall['approvals'][number], currency: Currency) {
  const { owner, spender, token, expiration } = approval
  const mayTake = approvalText(call, approval, currency)
  return { spender, mayTake, from: owner, token, note: approvalNote(approval), until: expiration }
}

const namedValues = (values: SimulatedCall['returned']) => {
  if (!values || values.length === 0) return undefined
  if (values.length === 1) return values[0]?.value
  return Object.fromEntries(values.map(({ name, value }, index) => [name || String(index), value]))
}

function stateItems({ results }: Simulation, currency: Currency): object[] {
  return results.flatMap((call, index) =>
    call.stateChanges.flatMap((change) =>
      stateChangesOf(change, currency).map((each) => ({
        ...(results.length > 1 && { call: index + 1 }),
        address: change.address,
        ...each,
      })),
    ),
  )
}
