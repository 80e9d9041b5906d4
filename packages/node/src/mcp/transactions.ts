import type { Result } from '@understudy/client/methods'
import { amountText, loadCurrency, loadTokens, type Token } from './amounts.ts'
import type { ToolNetwork } from './toolNetwork.ts'

type Transaction = Result<'dev_decodeTransaction'>
type Called = { name: string; args: readonly { name: string; value: unknown }[] | null } | null
type Transfer = NonNullable<Transaction['transfers']>[number]
type StackEntry = Result<'dev_getStackTrace'>[number]

/** A call with its arguments: `transfer(to: "0x…", amount: "5")`. Texts are quoted. */
export function callText(called: Called): string | undefined {
  if (!called) return undefined
  const args = called.args?.map(({ name, value }) => `${name ? `${name}: ` : ''}${JSON.stringify(value)}`) ?? []
  return clip(`${called.name}(${args.join(', ')})`, 300)
}

/** Where a run failed, innermost first: `reverted, at Token.transfer (src/Token.sol:31)`. */
export function locationText({ file, line, function: name, contract, address, message }: StackEntry): string {
  const location = file === null ? address : `${file}:${line}`
  return clip(`${message === null ? '' : `${message}, `}at ${name ?? contract ?? 'unknown code'} (${location})`, 300)
}

/** The lines where a transaction or a call failed. */
export async function loadFailure(network: ToolNetwork, subject: string | object): Promise<string[]> {
  return (await network.call('dev_getStackTrace', subject as never)).slice(0, 20).map(locationText)
}

/** One line for each call, indented by its depth. */
export function callLine(call: NonNullable<Transaction['calls']>[number], currency: Token): string {
  const { depth, type, to, contract, function: fn, value, gasUsed, inputSize, returned, outcome, halt, revert } = call
  const target = `${contract ? JSON.stringify(clip(contract, 60)) : to}.${callText(fn) ?? `unknown (${inputSize} bytes)`}`
  const parts = [
    `${'  '.repeat(depth)}${type === 'CALL' ? '' : `${type} `}${target}`,
    ...(value === '0' ? [] : [`with ${amountText(BigInt(value), currency)}`]),
    ...(returned && returned.length > 0
      ? [`returned ${clip(JSON.stringify(returned.map((each) => each.value)), 120)}`]
      : []),
    `gas ${gasUsed}`,
    ...(outcome === 'succeeded'
      ? []
      : [outcome === 'reverted' ? 'reverted by an outer call' : `failed: ${revert?.reason ?? halt}`]),
  ]
  return clip(parts.join(' · '), 560)
}

/** Transfers with amounts in the units of their tokens. */
export async function describeTransfers(network: ToolNetwork, transfers: readonly Transfer[], currency: Token) {
  const tokens = await loadTokens(
    network,
    transfers.flatMap(({ kind, token }) => (kind === 'erc20' && token ? [token] : [])),
  )
  return transfers.map(({ kind, token, from, to, tokenId, amount }) => {
    const unit = token === null ? currency : tokens.get(token)
    const what = unit ? amountText(BigInt(amount), unit) : kind === 'erc721' ? `token ${tokenId}` : amount
    return { from, to, what, ...(tokenId !== null && { tokenId }), ...(token !== null && { token }) }
  })
}

/** What a transaction did, in short. */
export async function describeTransaction(network: ToolNetwork, hash: `0x${string}`) {
  const [transaction, currency] = [await network.call('dev_decodeTransaction', hash), await loadCurrency(network)]
  const { status, blockNumber, from, to, contractAddress, contract, function: fn, value, gasUsed, revert } = transaction
  const fields = {
    hash,
    status,
    block: blockNumber,
    from,
    to,
    created: contractAddress,
    contract,
    call: callText(fn),
    value: value === '0' ? undefined : amountText(BigInt(value), currency),
    gasUsed: gasUsed === null ? undefined : Number(gasUsed),
    reason: revert?.reason,
    failedAt: status === 'failed' ? await loadFailure(network, hash) : undefined,
    transfers: await describeTransfers(network, (transaction.transfers ?? []).slice(0, 20), currency),
    events: transaction.events.slice(0, 20).map(describeEvent),
    dashboard: network.link(`/tx/${hash}`),
  }
  return { fields, transaction, currency }
}

export function describeEvent({ address, contract, event }: Transaction['events'][number]) {
  return `${contract ? JSON.stringify(clip(contract, 60)) : address}.${callText(event) ?? 'unknown event'}`
}

export const clip = (text: string, limit: number) => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`)
