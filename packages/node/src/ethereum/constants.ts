import type { Address, Hex, Word } from '@understudy/evm'
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
/** The topic of `Transfer(address,address,uint256)`, for both ERC-20 and ERC-721. */
export const transferTopic: Word = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
