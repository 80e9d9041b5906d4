import { expect, it } from 'vitest'
import { hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { emptyBloom, emptyUnclesHash, zeroWord } from '../constants.ts'
import { rebuildBlock, rebuildHeader, rebuildTransaction } from './rebuilt.ts'

/** Of Arbitrum One, as arb1.arbitrum.io answered: its nonce and its mix hash say what it has of L1. */
const arbitrum = {
  baseFeePerGas: '0x1312d00',
  difficulty: '0x1',
  extraData: '0x5415fe5b5fa72ff4ecaf578e7346f9ef8942c832a0f5564f05d8511e3576b334',
  gasLimit: '0x4000000000000',
  gasUsed: '0x3d721',
  hash: '0x9f2a4542dcd73b3b7312c2b57ebf79e61dbcd36906c7e8ed500f56ea199fa803',
  l1BlockNumber: '0x18ea3d7',
  logsBloom:
    '0x00001000000000000000000008000000000000000004000000000000000000000000000000000000000080000000000000080201000020100000000000000000000000000200000840000408000000000000000010000040002000000000000000800000000000000000000004100000000000000000000000000012000800000000000000000000000000000001000000000400000000000000001000000000000000000000000000000000000004000000000200000000008000000000000000002002000040200000000000000000000000000000000000000000000000000000200000000000000000000000200000000000000000000000000020000000',
  miner: '0xa4b000000000000000000073657175656e636572',
  mixHash: '0x0000000000028aef00000000018ea3d7000000000000003d0001000000000000',
  nonce: '0x00000000002770e4',
  number: '0x1e82b4ad',
  parentHash: '0xa31635fa277ca0ea0481d09fc59d1ca55b84b2a12e6c04384ce7532962b8b698',
  receiptsRoot: '0x4bbc51c714c0499f97f4a4473864495eff600e521f9848f47a935b6c6422d82f',
  sendCount: '0x28aef',
  sendRoot: '0x5415fe5b5fa72ff4ecaf578e7346f9ef8942c832a0f5564f05d8511e3576b334',
  sha3Uncles: emptyUnclesHash,
  stateRoot: '0x0af9d8afcffe1a8edabe67d676b274dc5642ccfbe938b935cab5a245bfc4b2da',
  timestamp: '0x6ac36dbd',
  transactionsRoot: '0x21cd50773adc2f667e9862eb9da63da3644a0c3631931681d00972a7ef350e74',
}

/** Block 15 of an L1 of Avalanche (subnet-evm), whose headers have the cost of a block. */
const avalancheL1 = {
  baseFeePerGas: '0x5d21dba00',
  blobGasUsed: '0x0',
  blockGasCost: '0x0',
  difficulty: '0x1',
  excessBlobGas: '0x0',
  extraData: `0x${'00'.repeat(86)}`,
  gasLimit: '0xe4e1c0',
  gasUsed: '0x5208',
  hash: '0xc589a5072a8db21c940fa4a4a5bb006ed1f50faf596d9ab75d1b09946680c411',
  logsBloom: emptyBloom,
  miner: '0x0100000000000000000000000000000000000000',
  mixHash: zeroWord,
  nonce: '0x0000000000000000',
  number: '0xf',
  parentBeaconBlockRoot: zeroWord,
  parentHash: '0x896a93e6bfd427a712eb4e59f40ab2afd77a8b2522b2707e89941b127d80d754',
  receiptsRoot: '0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa',
  sha3Uncles: emptyUnclesHash,
  size: '0x2fa',
  stateRoot: '0xce776bf84c5d73ef299d7d3e204fadccb4a31b266f3ff551a08d876fa909c179',
  timestamp: '0x67dc5224',
  transactions: [
    {
      gas: '0x5208',
      gasPrice: '0x6fc23ac00',
      maxFeePerGas: '0x6fc23ac00',
      maxPriorityFeePerGas: '0x12a05f200',
      hash: '0x522a7d836cf8a0a534deb6cd1f79242444d846089ad995ba56a0ec6a3b6cb075',
      input: '0x',
      nonce: '0xe',
      to: '0xa28fcb2ec5e2112c57ef63292cf85ab61a95ba72',
      value: '0x38d7ea4c68000',
      type: '0x2',
      accessList: [],
      chainId: '0x192b',
      v: '0x1',
      r: '0x866cb73ee7fa7a923a042afd5dfb4675befa4ae0b04458913fd5bfc9ede46fa6',
      s: '0x14b2c24368689869d9ddce37368cfead6d771b8a9bf05a4f1eaed360a24448bf',
      yParity: '0x1',
    },
  ],
  transactionsRoot: '0xc11b9f07c66312e09f0ec669cc1679aa7d3235ab06511e86a760e159789e849f',
  uncles: [],
}

/** The L1 attributes of a block of OP Mainnet, as its nodes show them (GetBlock's reference of eth_getTransactionByBlockNumberAndIndex). */
const deposit = {
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  gas: '0xf4240',
  gasPrice: '0x0',
  hash: '0x4fae8f6c70a4f50cf8894bf9847ed364922826658c3cb73e291e03934637a853',
  input:
    '0x440a5e200000146b000f79c500000000000000040000000067410f83000000000144320300000000000000000000000000000000000000000000000000000002fe2cca3c00000000000000000000000000000000000000000000000000000000001f11bf37aac56bf514562b0ee38600119c0a4f70b20f0c6abc66a2011d1bdd9b18cb1c0000000000000000000000006887246668a3b87f54deb3b94ba47a6f63f32985',
  nonce: '0x160d8b6',
  to: '0x4200000000000000000000000000000000000015',
  value: '0x0',
  type: '0x7e',
  v: '0x0',
  r: '0x0',
  s: '0x0',
  sourceHash: '0xf14ecb423df1f95f609d9781126cdd9ea4d248f4502c083507b2f1f72aa779a8',
  mint: '0x0',
}

it.each([
  ['Arbitrum One', arbitrum],
  ['an Avalanche L1', avalancheL1],
] as const)('hashes a header of %s as there', (_, raw) => {
  const header = rebuildHeader(raw)
  expect(header && keccak(header)).toBe(raw.hash)
  // One that was changed is not what its hash says.
  expect(rebuildHeader({ ...raw, nonce: '0x0000000000000001' })).toBeUndefined()
})

it('rebuilds a block to the size that its node shows', () => {
  expect(rebuildBlock(avalancheL1)?.length).toBe(Number(avalancheL1.size))
  expect(rebuildBlock({ ...avalancheL1, transactions: [] })).toBeUndefined()
})

it('encodes a deposit of the OP Stack', () => {
  const encoded = rebuildTransaction(deposit)
  expect(encoded && keccak(encoded)).toBe(deposit.hash)
  expect(encoded && hexFromBytes(encoded)).toMatch(/^0x7ef8f8a0f14ecb42/)
  expect(rebuildTransaction({ ...deposit, type: '0x7f' })).toBeUndefined()
})

/** A ticket of Arbitrum One: its fields and its hash are in arbitrum-sdk's tests of `calculateSubmitRetryableId`. */
const ticket = {
  type: '0x69',
  hash: '0x8ba13904639c7444d8578cc582a230b8501c9f0f7903f5069d276fdd3a7dea44',
  chainId: '0xa4b1',
  requestId: '0x000000000000000000000000000000000000000000000000000000000000504c',
  from: '0xea3123e9d9911199a6711321d1277285e6d4f3ec',
  l1BaseFee: '0x5e0fc4c58',
  depositValue: '0x854e8ab1802ca80',
  maxFeePerGas: '0x11e1a300',
  gas: '0x1d566',
  retryTo: '0x6c411ad3e74de3e7bd422b94a27770f5b86c623b',
  retryValue: '0x853a0d2313c0000',
  beneficiary: '0xa2e06c19ee14255889f0ec0ca37f6d0778d06754',
  maxSubmissionFee: '0x1270f6740d880',
  refundTo: '0xa2e06c19ee14255889f0ec0ca37f6d0778d06754',
  retryData:
    '0x2e567b36000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000a2e06c19ee14255889f0ec0ca37f6d0778d06754000000000000000000000000a2e06c19ee14255889f0ec0ca37f6d0778d067540000000000000000000000000000000000000000000000000853a0d2313c000000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000800000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
}

it('encodes a retryable ticket of Arbitrum', () => {
  const encoded = rebuildTransaction(ticket)
  expect(encoded && keccak(encoded)).toBe(ticket.hash)
})
