import type { Address, Hex } from '@understudy/evm'
import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import type { History } from '../chain/history/history.ts'
import type { Execution } from '../execution/execution.ts'
import { createBoundedCache } from '../shared/caches.ts'
import { isNetworkError } from '../shared/errors.ts'
import { addressFromNumber, bytesFromHex, hexFromBytes } from '../shared/hex.ts'

/** The metadata of a token; `undefined` fields are not available. */
export type TokenMetadata = { name: string | undefined; symbol: string | undefined; decimals: number | undefined }

/** Reads tokens in the newest state. Never throws because of a token. */
export type TokenReads = {
  loadMetadata(token: Address): Promise<TokenMetadata>
  /** `undefined` if the token does not report it. */
  loadBalance(token: Address, holder: Address): Promise<bigint | undefined>
  loadOwner(token: Address, tokenId: bigint): Promise<Address | undefined>
  loadBalanceOf(token: Address, holder: Address, tokenId: bigint): Promise<bigint | undefined>
}

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
])
const balanceOfId = parseAbi(['function balanceOf(address, uint256) view returns (uint256)'])
/** Number of tokens whose metadata is cached. */
const cacheLimit = 5000
const textLimit = 100

export function createTokenReads({
  history,
  execution,
}: {
  history: Pick<History, 'at'>
  execution: Pick<Execution, 'call'>
}): TokenReads {
  const kept = createBoundedCache<Address, TokenMetadata>(cacheLimit)

  async function ask(to: Address, data: Hex): Promise<Hex | undefined> {
    try {
      const output = await execution.call({ to, data: bytesFromHex(data) }, await history.at('latest'))
      return hexFromBytes(output)
    } catch (error) {
      if (isNetworkError(error)) return undefined
      throw error
    }
  }

  async function askWord(to: Address, data: Hex): Promise<bigint | undefined> {
    const output = await ask(to, data)
    return output?.length === 66 ? BigInt(output) : undefined
  }

  async function askText(to: Address, functionName: 'name' | 'symbol'): Promise<string | undefined> {
    const output = await ask(to, encodeFunctionData({ abi, functionName }))
    if (output === undefined || output === '0x') return undefined
    // Old tokens, such as MKR, return a bytes32.
    if (output.length === 66)
      return Buffer.from(output.slice(2), 'hex')
        .toString()
        .replace(/\0{1,32}$/, '')
    try {
      return decodeAbiParameters([{ type: 'string' }], output)[0].slice(0, textLimit)
    } catch {
      return undefined
    }
  }

  return {
    async loadMetadata(token) {
      const known = kept.get(token)
      if (known) return known
      const [name, symbol, decimals] = await Promise.all([
        askText(token, 'name'),
        askText(token, 'symbol'),
        askWord(token, encodeFunctionData({ abi, functionName: 'decimals' })),
      ])
      const metadata = {
        name,
        symbol,
        decimals: decimals !== undefined && decimals < 256n ? Number(decimals) : undefined,
      }
      if (symbol === undefined) return metadata
      kept.set(token, metadata)
      return metadata
    },
    loadBalance: (token, holder) =>
      askWord(token, encodeFunctionData({ abi, functionName: 'balanceOf', args: [holder] })),
    async loadOwner(token, tokenId) {
      const owner = await askWord(token, encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] }))
      return owner === undefined ? undefined : addressFromNumber(owner)
    },
    loadBalanceOf: (token, holder, tokenId) =>
      askWord(token, encodeFunctionData({ abi: balanceOfId, functionName: 'balanceOf', args: [holder, tokenId] })),
  }
}
