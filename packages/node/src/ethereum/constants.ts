import type { Address, ForkRules, Hex, Word } from '@understudy/evm'
import { keccak } from '../shared/keccak.ts'

export const zeroAddress: Address = `0x${'00'.repeat(20)}`
export const zeroWord: Word = `0x${'00'.repeat(32)}`
export const emptyBloom: Hex = `0x${'00'.repeat(256)}`
/** The root of an empty trie. */
export const emptyTrieRoot: Word = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** The hash of an empty list of uncles. */
export const emptyUnclesHash: Word = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** The hash of an empty block access list (EIP-7928). */
export const emptyAccessListHash: Word = emptyUnclesHash
/** The EIP-7685 hash of an empty list of requests: SHA-256 of no bytes. */
export const emptyRequestsHash: Word = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** The hash of no bytes: the code hash of accounts without code. */
export const emptyCodeHash: Word = keccak(new Uint8Array())
/** The sender of what the protocol does itself (EIP-4788, EIP-7002, EIP-7708). */
export const systemAddress: Address = '0xfffffffffffffffffffffffffffffffffffffffe'

/** A contract with a queue of requests to the consensus layer, from which each block takes some (EIP-7685). */
export type RequestContract = {
  type: number
  address: Address
  since: keyof Pick<ForkRules, 'requests' | 'accessLists'>
}

/** In the order of their types: withdrawals (EIP-7002), consolidations (EIP-7251), deposits and exits of builders (EIP-8282). */
export const requestContracts: readonly RequestContract[] = [
  { type: 1, address: '0x00000961ef480eb55e80d19ad83579a64c007002', since: 'requests' },
  { type: 2, address: '0x0000bbddc7ce488642fb579f8b00f3a590007251', since: 'requests' },
  { type: 3, address: '0x0000bff46984e3725691fa540a8c7589300d8282', since: 'accessLists' },
  { type: 4, address: '0x000064d678505ad48f8ccb093bc65613800e8282', since: 'accessLists' },
]

/** The topic of `Transfer(address,address,uint256)`, for both ERC-20 and ERC-721. */
export const transferTopic: Word = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
