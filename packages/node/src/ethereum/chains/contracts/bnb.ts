import type { ContractAnswer, ContractCall, ContractState } from '@understudy/evm'
import { addressFromNumber } from '../../../shared/hex.ts'
import type { ChainContract } from './chainContract.ts'
import { type ContractBlock, words } from './contractCall.ts'

const timeGas = 20n

/** The time of the block in milliseconds, whose part below the second is in the header's mix hash (BEP-706). */
export function bnbTime(_: ContractCall, __: ContractState, { timestamp, mixHash }: ContractBlock): ContractAnswer {
  const part = BigInt(mixHash)
  return { gas: timeGas, output: words(timestamp * 1000n + (part < 1000n ? part : 0n)) }
}

/** Of https://github.com/bnb-chain/BEPs/blob/master/BEPs/BEP-702.md: what wallets and applications call. */
const token = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function contractURI() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function transferWithMemo(address to, uint256 value, bytes32 memo) returns (bool)',
  'function transferFromWithMemo(address from, address to, uint256 value, bytes32 memo) returns (bool)',
  'function mint(address to, uint256 value)',
  'function mintWithMemo(address to, uint256 value, bytes32 memo)',
  'function burn(uint256 value)',
  'function burnWithMemo(uint256 value, bytes32 memo)',
  'error NonPayable()',
  'error StaticCallNotAllowed()',
  'error DelegateCallNotAllowed()',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Memo(address indexed caller, bytes32 indexed memo)',
]
const factory = [
  'function createCAS20(uint8 variant, bytes32 salt, bytes params, bytes[] initCalls) returns (address token)',
  'function getCAS20Address(uint8 variant, address creator, bytes32 salt) view returns (address)',
  'function isCAS20(address account) pure returns (bool)',
  'function variantOf(address token) pure returns (uint8)',
  'function isCAS20Initialized(address token) view returns (bool)',
  'error InvalidVariant()',
  'event CAS20Created(address indexed token, uint8 indexed variant, string name, string symbol, uint8 decimals, bytes variantEventParams)',
]

const pure = (name: string, number: number, gas: ChainContract['gas'], since = 0): ChainContract => ({
  ...{ name, at: addressFromNumber(number), abi: [], answeredBy: 'liveChain', gas, since },
})
const gone = (name: string, number: number, since: number): ChainContract => ({
  ...{ name, at: addressFromNumber(number), abi: [], answeredBy: 'refused', since },
})

/** Of upgrades: Pasteur (reth-bsc v0.1.0 and v0.1.1), and Jenner (bsc v1.8.2; BEP-718). */
const dates = {
  mainnet: { pasteur: 1_787_625_000, jenner: 1_796_697_000 },
  /** Jenner began there in the night of this day. */
  testnet: { pasteur: 1_784_601_000, jenner: 1_793_232_000 },
}

/** The newest first. Prices are those of bsc's params/protocol_params.go, and since Pasteur of reth-bsc v0.1.0. */
const contractsOf = ({ pasteur, jenner }: { pasteur: number; jenner: number }): readonly ChainContract[] => [
  { name: 'MillisecondTimestamp', at: addressFromNumber(0x70), abi: [], answeredBy: 'bnbTime', since: jenner },
  {
    ...{ name: 'CAS20Factory', at: '0xca5f000000000000000000000000000000000000' },
    ...{ abi: factory, answeredBy: 'liveChain', since: jenner },
  },
  { name: 'CAS20Asset', at: '0xca52000000000000000000', abi: token, answeredBy: 'liveChain', since: jenner },
  {
    ...{ name: 'CAS20Stablecoin', at: '0xca52000000000000000001' },
    ...{ abi: [...token, 'function currency() view returns (string)'], answeredBy: 'liveChain', since: jenner },
  },
  gone('TendermintHeader', 0x64, pasteur),
  gone('IavlMerkleProof', 0x65, pasteur),
  pure('BlsSignature', 0x66, { base: 1000, perItem: { gas: 3500, bytes: 48, after: 128 } }),
  pure('CometBftLightBlock', 0x67, { base: 3000, perByte: 16 }, pasteur),
  pure('CometBftLightBlock', 0x67, { base: 3000 }),
  pure('DoubleSignEvidence', 0x68, { base: 10_000 }),
  pure('TendermintSigner', 0x69, { base: 3000 }),
]

export const bnbContracts = contractsOf(dates.mainnet)
export const bnbTestnetContracts = contractsOf(dates.testnet)
