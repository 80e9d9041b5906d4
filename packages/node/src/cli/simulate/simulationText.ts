import {
  approvalNote,
  approvalText,
  assetText,
  type Currency,
  calledText,
  failureText,
  itemText,
  partyText,
  type SimulatedCall,
  type Simulation,
  stackText,
  stateChangesOf,
  valueText,
} from '@understudy/client/simulations'
import { formatUnits } from 'viem'
import { readableText } from '../../shared/readableText.ts'
import { formatFields } from '../remote/format.ts'

/** So many lines of a list are printed: `--json` has all. */
const shownLimit = 50
/** Longer lines are truncated. */
const widest = 300

/** What calls would do, for a terminal: what moves and who may take it first. `asked`: how many calls there were. */
export function formatSimulation(simulation: Simulation, asked: number, currency: Currency): string {
  const { block, results } = simulation
  const parts = results.flatMap((call, index) => [
    `${asked === 1 ? '' : `Call ${index + 1}: `}${outcomeText(call)}`,
    ...sectionsOf(call, currency),
    '',
  ])
  const lines = [`In block ${block.number}, of chain ${block.chainId}:`, '', ...parts, ...endOf(simulation, asked)]
  return lines
    .map((line) => readableText(line))
    .join('\n')
    .trimEnd()
}

function outcomeText(call: SimulatedCall): string {
  const { from, to } = call.message
  const target = to === null ? '' : ` ${partyText(call, to)}`
  const verdict = call.status === 'succeeded' ? 'succeeds' : 'fails'
  return `${verdict}: ${partyText(call, from)} ${clip(calledText(call))}${target}, ${call.gasUsed} gas`
}

/** What is to be said of all calls together. */
function endOf({ failed, isUndone, results }: Simulation, asked: number): string[] {
  if (failed === null || asked === 1) return []
  const left = asked - results.length
  const others =
    left === 0 ? '' : left === 1 ? ', and the one after it did not run' : `, and the ${left} after it did not run`
  return [
    `Call ${failed + 1} fails${others}.${isUndone ? ' Nothing has changed: what the calls before it did is undone.' : ''}`,
  ]
}

function sectionsOf(call: SimulatedCall, currency: Currency): string[] {
  return [
    ...section(
      'Asset changes',
      call.assetChanges.map((change) => assetLine(call, change, currency)),
    ),
    ...section(
      'Approvals',
      call.approvals.map((approval) => approvalLine(call, approval, currency)),
    ),
    ...section(
      'Balances',
      call.balanceChanges.map((change) => balanceLine(call, change, currency)),
    ),
    ...section('Error', errorLines(call)),
    ...section(
      'State changes',
      call.stateChanges.flatMap((change) => accountLines(call, change, currency)),
    ),
    ...section(
      'Returned',
      (call.returned ?? []).map(({ name, value }) => `${name ? `${name}: ` : ''}${valueText(value)}`),
    ),
    ...section(
      'Logs',
      call.logs.map(
        (log) =>
          `${log.contract ?? log.address} ${log.event ? itemText(log.event) : `unknown event ${log.topics[0] ?? ''}`}`,
      ),
    ),
    ...section('Gas and fee', feeLines(call, currency)),
    ...section('Tokens that are not what they seem', tokenProblems(call)),
    ...section('Not shown', call.truncated),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const left = lines.length - shownLimit
  const shown = lines.slice(0, shownLimit).map((line) => `  ${clip(line)}`)
  return ['', title, ...shown, ...(left > 0 ? [`  and ${left} more: see --json`] : [])]
}

function assetLine(call: SimulatedCall, change: SimulatedCall['assetChanges'][number], currency: Currency): string {
  const { type, from, to, isWrap, inferred } = change
  const notes = [isWrap && 'for ether', inferred && 'by the change of its balances, without an event'].filter(Boolean)
  const parties = [from && `from ${partyText(call, from)}`, to && `to ${partyText(call, to)}`].filter(Boolean)
  return [
    type === 'transfer' ? '' : `${type} `,
    `${assetText(call, change, currency)} ${parties.join(' ')}`,
    notes.length > 0 ? ` (${notes.join(', ')})` : '',
  ].join('')
}

function approvalLine(call: SimulatedCall, approval: SimulatedCall['approvals'][number], currency: Currency): string {
  const { owner, spender, before, amount, expiration } = approval
  const was =
    before === null || before === amount
      ? undefined
      : `before: ${approvalText(call, { ...approval, amount: before, formatted: null, isUnlimited: false }, currency)}`
  const until = expiration === null ? undefined : `until ${dateText(expiration)}`
  const notes = [approvalNote(approval), until, was].filter(Boolean)
  const text = `${partyText(call, spender)} may take ${approvalText(call, approval, currency)} from ${partyText(call, owner)}`
  return notes.length > 0 ? `${text} (${notes.join(', ')})` : text
}

function dateText(seconds: string): string {
  const time = Number(seconds) * 1000
  return time <= 8.64e15 ? new Date(time).toISOString() : `second ${seconds}`
}

function balanceLine(
  call: SimulatedCall,
  { address, assets }: SimulatedCall['balanceChanges'][number],
  currency: Currency,
) {
  const texts = assets.map((asset) => {
    const text = assetText(call, { ...asset, amount: asset.net }, currency)
    return asset.net.startsWith('-') ? text : `+${text}`
  })
  return `${partyText(call, address)}: ${texts.join(', ')}`
}

function errorLines({ error }: SimulatedCall): string[] {
  if (error === null) return []
  return [failureText(error), ...error.stack.map((location) => `at ${stackText(location)}`)]
}

function accountLines(
  call: SimulatedCall,
  change: SimulatedCall['stateChanges'][number],
  currency: Currency,
): string[] {
  const changes = stateChangesOf(change, currency)
  return [
    partyText(call, change.address),
    ...changes.map(({ name, before, after }) => `  ${name}: ${before} → ${after}`),
  ]
}

function feeLines({ gasUsed, gasRefund, sufficientGas, fee, accessList }: SimulatedCall, currency: Currency): string[] {
  const amount = (wei: string) => `${formatUnits(BigInt(wei), currency.decimals)} ${currency.symbol}`
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  const fields = {
    'gas used': `${gasUsed}${gasRefund === '0' ? '' : ` (after a refund of ${gasRefund})`}`,
    'gas limit that suffices': sufficientGas ?? undefined,
    'gas price': `${formatUnits(BigInt(fee.gasPrice), 9)} gwei (base fee ${formatUnits(BigInt(fee.baseFee), 9)} gwei)`,
    fee: `${amount(fee.total)}${fee.isCharged ? '' : ', which this call does not pay: it names no price'}`,
    'of which for the layer below': fee.l1 === null ? undefined : amount(fee.l1),
    'access list': accessList.length === 0 ? undefined : `${accessList.length} accounts, ${slots} slots`,
  }
  return formatFields(fields).split('\n')
}

const tokenProblems = ({ contracts }: SimulatedCall): string[] =>
  contracts.flatMap(({ address, token }) => (token?.problems ?? []).map((problem) => `${address}: ${problem}`))

const clip = (text: string) => (text.length <= widest ? text : `${text.slice(0, widest - 1)}…`)
