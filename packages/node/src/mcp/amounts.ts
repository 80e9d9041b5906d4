import { decodeFunctionResult, encodeFunctionData, formatUnits, type Hex, parseAbi } from 'viem'
import { MethodError } from '../rpc/dispatch/methodCalls.ts'
import { NetworkError } from '../shared/errors.ts'
import type { ToolNetwork } from './toolNetwork.ts'

export type Token = { symbol: string; decimals: number }

const smallUnits: Record<string, number> = { wei: 0, gwei: 9 }

/** An amount in words, without rounding: `1.5 ETH`, `3 gwei`. */
export function amountText(amount: bigint, { symbol, decimals }: Token): string {
  const isTiny = decimals === 18 && amount > 0n && amount < 10n ** 12n
  if (isTiny && symbol === 'ETH') return amount < 10n ** 6n ? `${amount} wei` : `${formatUnits(amount, 9)} gwei`
  return `${formatUnits(amount, decimals)} ${symbol}`
}

/** An amount as a reader writes it, in the smallest unit: `1.5`, `1.5 ETH`, `30 gwei`. Throws `INVALID_PARAMS`. */
export function amountFrom(field: string, text: string, { symbol, decimals }: Token): bigint {
  const [, whole = '', fraction = '', unit = ''] =
    /^(\d{1,78})(?:\.(\d{1,78}))?(?:\s*([^\s\d.]\S{0,40}))?$/.exec(text.trim()) ?? []
  const isOwn = unit === '' || unit.toLowerCase() === symbol.toLowerCase() || unit.toLowerCase() === 'ether'
  const digits = isOwn ? decimals : smallUnits[unit.toLowerCase()]
  if (whole === '' || digits === undefined || fraction.length > digits)
    throw new NetworkError('INVALID_PARAMS', {
      field,
      problem: `expected an amount such as 1.5 or 1.5 ${symbol}, with at most ${decimals} decimals, got ${JSON.stringify(text.slice(0, 80))}`,
    })
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

const metadata = parseAbi(['function symbol() view returns (string)', 'function decimals() view returns (uint8)'])

/** The currency of the chain. */
export async function loadCurrency(network: ToolNetwork): Promise<Token> {
  const { chain } = await network.call('dev_getNetworkInfo')
  return chain.currency
}

/** For a token without a symbol. */
export const unnamed = 'tokens'

/** What an ERC-20 token says of itself; `undefined` if it has no decimals. */
export async function loadToken(network: ToolNetwork, address: string): Promise<Token | undefined> {
  const read = async (functionName: 'symbol' | 'decimals') => {
    const data = encodeFunctionData({ abi: metadata, functionName })
    try {
      const returned = await network.call<Hex>('eth_call', { to: address, data }, 'latest')
      return decodeFunctionResult({ abi: metadata, functionName, data: returned })
    } catch (error) {
      // Tokens need not have them, and some return another type.
      if (error instanceof MethodError && error.kind !== 'EXECUTION_REVERTED' && error.kind !== 'EXECUTION_FAILED')
        throw error
      return undefined
    }
  }
  const decimals = await read('decimals')
  if (typeof decimals !== 'number') return undefined
  return { symbol: String((await read('symbol')) ?? unnamed).slice(0, 20), decimals }
}

/** The tokens at the addresses, each asked for once; those beyond `limit` are left out. */
export async function loadTokens(
  network: ToolNetwork,
  addresses: Iterable<string>,
  limit = 5,
): Promise<Map<string, Token>> {
  const tokens = new Map<string, Token>()
  for (const address of [...new Set(addresses)].slice(0, limit)) {
    const token = await loadToken(network, address)
    if (token) tokens.set(address, token)
  }
  return tokens
}
