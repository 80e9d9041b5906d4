import { type AbiEvent, decodeEventLog, type Hex } from 'viem'
import { sendTransaction as sendTransactionMethod } from '../../rpc/methods/eth/sendTransaction.ts'
import { amountText, loadCurrency, loadTokens, type Token } from '../amounts.ts'
import { decodeReturned, encodeCall } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { callFields } from '../inputs.ts'
import { tokenEvents } from '../tokenAbis.ts'
import type { ToolNetwork } from '../toolNetwork.ts'
import { clip, loadFailure } from '../transactions.ts'

type Log = { address: Hex; topics: [Hex, ...Hex[]]; data: Hex }
type SimulatedCall = { status: Hex; gasUsed: Hex; returnData: Hex; logs: Log[]; error?: { message: string } }
type Fields = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hex, Hex> }
type StateDiff = { pre: Record<Hex, Fields>; post: Record<Hex, Fields> }

/** keccak256("Transfer(address,address,uint256)"), of ERC-20 and ERC-721. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Where eth_simulateV1 logs transfers of ether. */
const etherLogs = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export const simulate = defineTool({
  name: 'simulate',
  example: exampleOf(sendTransactionMethod, ([{ from, to, value }]) => ({ from, to, value: `${BigInt(value)} wei` })),
  description:
    'What would happen if an account sent this transaction now: whether it succeeds, what it returns, gas, transfers, events, every change of the state, and for a failure the line. Nothing is stored.',
  effect: 'reads',
  input: callFields,
  hasPages: true,
  async run(network, input) {
    const { call, fn } = await encodeCall(network, input)
    const [{ calls }] = await network.call<[{ calls: [SimulatedCall] }]>(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [call] }], traceTransfers: true },
      'latest',
    )
    const [{ status, gasUsed, returnData, logs, error }] = calls
    const succeeded = status === '0x1'
    const currency = await loadCurrency(network)
    const transfers = logs.filter(({ topics }) => topics[0] === transferTopic && topics.length >= 3)
    const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const diff = await network.call<StateDiff>('debug_traceCall', call, 'latest', tracer)
    return {
      fields: {
        status: succeeded ? 'it would succeed' : 'it would fail',
        gasUsed: Number(gasUsed),
        returned: succeeded && fn ? decodeReturned(fn, returnData) : undefined,
        reason: error?.message,
        failedAt: succeeded ? undefined : await loadFailure(network, call),
        transfers: await describeLogs(network, transfers.slice(0, 20), currency),
        events: await decodeEvents(network, logs.filter(({ address }) => address !== etherLogs).slice(0, 20)),
        dashboard: network.link('/simulate'),
      },
      list: { name: 'stateChanges', items: changesOf(diff, currency) },
    }
  },
})

async function describeLogs(network: ToolNetwork, logs: readonly Log[], currency: Token) {
  const tokens = await loadTokens(
    network,
    logs.map(({ address }) => address).filter((address) => address !== etherLogs),
  )
  return logs.map(({ address, topics: [, from = '', to = '', id], data }) => {
    const unit = address === etherLogs ? currency : tokens.get(address)
    const amount = data.length === 66 ? BigInt(data) : undefined
    const what = unit && amount !== undefined ? amountText(amount, unit) : id ? `token ${BigInt(id)}` : String(amount)
    return { from: addressIn(from), to: addressIn(to), what, ...(address !== etherLogs && { token: address }) }
  })
}

const addressIn = (topic: string) => `0x${topic.slice(26)}`

/** Events as text, by the ABIs of the first contracts that emit them. */
async function decodeEvents(network: ToolNetwork, logs: readonly Log[]): Promise<string[]> {
  const abis = new Map<Hex, AbiEvent[]>()
  for (const address of [...new Set(logs.map((log) => log.address))].slice(0, 5)) {
    const { abi } = await network.call('dev_getContractAbi', address)
    abis.set(address, abi.filter(({ type }) => type === 'event') as unknown as AbiEvent[])
  }
  return logs.map(({ address, topics, data }) => {
    const known = abis.get(address) ?? []
    return `${address}.${eventText(known.length > 0 ? known : tokenEvents(topics, data), topics, data)}`
  })
}

function eventText(abi: AbiEvent[], topics: [Hex, ...Hex[]], data: Hex): string {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics, data }) as { eventName: string; args?: object }
    const values = Object.entries(args ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value, bigintAsText)}`)
    return clip(`${eventName}(${values.join(', ')})`, 300)
  } catch {
    return `unknown event (${topics[0] ?? 'no topic'})`
  }
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/** What of each account changes. */
function changesOf({ pre, post }: StateDiff, currency: Token): object[] {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as Hex[]
  return addresses.flatMap((address) => {
    const [before, after] = [pre[address] ?? {}, post[address] ?? {}]
    const wei = (balance: Hex) => amountText(BigInt(balance), currency)
    const slots = [...new Set([...Object.keys(before.storage ?? {}), ...Object.keys(after.storage ?? {})])] as Hex[]
    return [
      ...(after.balance === undefined
        ? []
        : [{ address, balance: { before: wei(before.balance ?? '0x0'), after: wei(after.balance) } }]),
      ...(after.nonce === undefined ? [] : [{ address, nonce: { before: before.nonce ?? 0, after: after.nonce } }]),
      ...(after.code === undefined ? [] : [{ address, code: `${(after.code.length - 2) / 2} bytes` }]),
      ...slots.map((slot) => ({
        address,
        slot,
        before: before.storage?.[slot] ?? '0x0',
        after: after.storage?.[slot] ?? '0x0',
      })),
    ]
  })
}
