import { type Address, encodeFunctionData, type Hex, hexToBigInt, parseAbi, slice } from 'viem'
import { isReverted, RpcError } from '../../../errors/rpcError.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

const abi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
])
const multiTokenAbi = parseAbi(['function balanceOf(address account, uint256 id) view returns (uint256)'])

/** Reads a token at the latest block. A read is `undefined` if the contract reverts or does not return one word. */
export function createTokenReader(token: Address) {
  let unread = 0

  async function word(data: Hex): Promise<Hex | undefined> {
    try {
      const output = await rpc<Hex>('eth_call', { to: token, data }, 'latest')
      return output.length === 66 ? output : undefined
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (!isReverted(error)) unread++
      return undefined
    }
  }

  async function amount(data: Hex): Promise<bigint | undefined> {
    const answer = await word(data)
    return answer && hexToBigInt(answer)
  }

  return {
    supply: () => amount(encodeFunctionData({ abi, functionName: 'totalSupply' })),
    balance: (account: Address) => amount(encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] })),
    /** Of an ERC-1155. */
    balanceOfId: (account: Address, tokenId: bigint) =>
      amount(encodeFunctionData({ abi: multiTokenAbi, functionName: 'balanceOf', args: [account, tokenId] })),
    /** Of an ERC-721. */
    async owner(tokenId: bigint): Promise<Address | undefined> {
      const answer = await word(encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] }))
      return answer && slice(answer, 12)
    },
    /** How many reads the network refused or could not make. Reverts do not count. */
    unread: () => unread,
  }
}
