import { transferTopic } from '../../../ethereum/constants.ts'
import { exampleWorkspace } from './workspace.ts'

/** Workspace examples for the reference: a token of the live chain with a few transfers on this network. */

export const exampleId = exampleWorkspace.id
const transactionHash = '0x3a0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e78'
const happened = { transactionHash, blockNumber: 23_000_001, timestamp: '2026-01-01T12:00:12.000Z' }
const [token, from, to] = [
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const
const word = (hex: string) => `0x${hex.padStart(64, '0')}` as const
const input = `0xa9059cbb${word(to.slice(2)).slice(2)}${word('f4240').slice(2)}` as const
const codeHash = '0xd80d4b7c890cb9d6a4893e6b52bc34b56b25335cb13716e0d1d31383e6b41505'
const transferFunction = {
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  args: [
    { name: 'to', type: 'address', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    { name: 'value', type: 'uint256', value: '1000000' },
  ],
}

const account = { balance: '0', nonce: '1', codeHash } as const

export const exampleOverview = {
  workspace: exampleWorkspace,
  address: token,
  account: {
    ...account,
    local: { balance: false, nonce: false, code: false },
    upstream: account,
    followed: false,
    followedSlots: 0,
    overrides: 0,
    trackedItems: 1,
  },
  contract: {
    name: 'FiatTokenProxy',
    source: 'etherscan',
    code: 'upstream',
    abi: [{ type: 'function', name: 'decimals', inputs: [], outputs: [{ type: 'uint8' }], stateMutability: 'view' }],
    selectors: [],
    explorer: { status: 'verified', problem: null },
    proxy: {
      kind: 'zeppelinos',
      implementations: [
        { address: '0x43506849d7c04f9138d1a2050bbf3a0c054402dd', name: 'FiatTokenV2_2', source: 'etherscan' },
      ],
    },
  },
  activity: { transactions: 1, callsTo: 1, callsBy: 1, failedCallsTo: 0, events: 1, transfers: 0, limit: 10_000 },
} as const

export const exampleTimeline = {
  seconds: 1800,
  parts: [
    {
      from: '2026-01-01T11:00:13.000Z',
      blocks: null,
      ...{ transactions: 0, callsTo: 0, failedCallsTo: 0, callsBy: 0, events: 0 },
    },
    {
      from: '2026-01-01T11:30:13.000Z',
      blocks: { first: 23_000_001, last: 23_000_001 },
      ...{ transactions: 1, callsTo: 1, failedCallsTo: 0, callsBy: 1, events: 1 },
    },
  ],
  truncated: false,
} as const

export const exampleWorkspaceTransaction = {
  ...happened,
  status: 'success',
  from,
  to: token,
  contractAddress: null,
  contract: 'FiatTokenProxy',
  function: transferFunction,
  value: '0',
  nonce: 0,
  gasUsed: '62159',
  effectiveGasPrice: '1875000000',
  revert: null,
} as const

export const exampleWorkspaceCall = {
  ...happened,
  depth: 0,
  type: 'CALL',
  from,
  to: token,
  contract: 'FiatTokenProxy',
  function: transferFunction,
  value: '0',
  gas: '68412',
  gasUsed: '40495',
  input,
  inputSize: 68,
  output: word('1'),
  outputSize: 32,
  returned: [{ name: '', type: 'bool', value: 'true' }],
  outcome: 'succeeded',
  halt: null,
  revert: null,
} as const

export const exampleWorkspaceEvent = {
  ...happened,
  logIndex: 0,
  address: token,
  contract: 'FiatTokenProxy',
  event: {
    name: 'Transfer',
    signature: 'Transfer(address,address,uint256)',
    args: [
      { name: 'from', type: 'address', value: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      { name: 'to', type: 'address', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      { name: 'value', type: 'uint256', value: '1000000' },
    ],
  },
  topics: [transferTopic, word(from.slice(2)), word(to.slice(2))],
  data: word('f4240'),
} as const

export const exampleWorkspaceTransfer = {
  ...happened,
  kind: 'erc20',
  token,
  from,
  to,
  tokenId: null,
  amount: '1000000',
} as const

export const exampleAsset = {
  token,
  kind: 'erc20',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  balance: '1000000',
  items: [],
} as const

export const exampleStorageEntry = {
  path: 'balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]',
  name: '[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]',
  type: 'uint256',
  slot: '0x14e04a66bf74771820a7400ff6cf065175b3d7eb25805a5bd1633b161af5d101',
  offset: 0,
  bytes: 32,
  value: '1000000',
  origin: 'local',
  upstreamValue: '0',
  length: null,
  lastWriter: '0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784',
  parts: null,
} as const

export const exampleMethod = {
  selector: '0xa9059cbb',
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  stateMutability: 'nonpayable',
  calls: 1,
  reverts: 0,
  gas: { p50: '40495', p95: '40495', max: '40495' },
  lastBlock: 23_000_001,
  overridden: false,
} as const

export const exampleHistory = {
  versions: [
    {
      id: 'pcv_pfh0haxfpzowht3oi213cqos',
      number: 1,
      createdAt: '2026-01-01T12:00:00.000Z',
      sourcePath: 'src/Token.sol',
      hasBytecode: true,
      hasStorageLayout: true,
      added: [],
      removed: [],
    },
  ],
  deployments: [
    {
      id: 'pcd_bq1z3m0x5yk2c7v8n9w4j6ha',
      versionId: 'pcv_pfh0haxfpzowht3oi213cqos',
      address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      blockNumber: 23_000_001,
      constructorArgs: [{ name: 'supply', type: 'uint256', value: '1000000' }],
      createdAt: '2026-01-01T12:00:12.000Z',
    },
  ],
  next: null,
}
