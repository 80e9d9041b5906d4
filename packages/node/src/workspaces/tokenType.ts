import type { Address, Hex } from '@understudy/evm'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Execution, ExecutionPoint } from '../execution/execution.ts'
import { isNetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import type { TokenType } from './workspace.ts'

const abi = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])
const someone: Address = '0x000000000000000000000000000000000000dead'
const erc721: Hex = '0x80ac58cd'

/** Detects the kind of a token, with ERC-165 and the read functions of ERC-20. */
export async function findTokenType(
  address: Address,
  { point, execution }: { point: ExecutionPoint; execution: Pick<Execution, 'call'> },
): Promise<TokenType | undefined> {
  /** The single word that a call returns. */
  async function ask(data: Hex): Promise<bigint | undefined> {
    try {
      const output = await execution.call({ to: address, data: bytesFromHex(data) }, point)
      return output.length === 32 ? BigInt(hexFromBytes(output)) : undefined
    } catch (error) {
      if (isNetworkError(error, 'EXECUTION_REVERTED') || isNetworkError(error, 'EXECUTION_FAILED')) return undefined
      throw error
    }
  }
  const [isErc721, ...reads] = await Promise.all([
    ask(encodeFunctionData({ abi, functionName: 'supportsInterface', args: [erc721] })),
    ask(encodeFunctionData({ abi, functionName: 'totalSupply' })),
    ask(encodeFunctionData({ abi, functionName: 'balanceOf', args: [someone] })),
    ask(encodeFunctionData({ abi, functionName: 'allowance', args: [someone, someone] })),
  ])
  if (isErc721 === 1n) return 'ERC721'
  return reads.every((answer) => answer !== undefined) ? 'ERC20' : undefined
}
