import type { z } from 'zod'
import { emptyBloom } from '../../../ethereum/constants.ts'
import type { TenderlySimulation } from './simulation.ts'

const [alice, bob] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const

/** A transfer of one wei. */
export const exampleCall = { from: alice, to: bob, value: '0x1' } as const

export const exampleSimulation: z.output<typeof TenderlySimulation> = {
  status: true,
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  blockNumber: '0x2a',
  type: '0x2',
  logsBloom: emptyBloom,
  logs: [],
  trace: [
    {
      type: 'CALL',
      from: alice,
      to: bob,
      gas: '0x2fa9e78',
      gasUsed: '0x0',
      value: '0x1',
      input: '0x',
      output: '0x',
      subtraces: 0,
      traceAddress: [],
    },
  ],
  assetChanges: [
    {
      assetInfo: { standard: 'NativeCurrency', type: 'Native', symbol: 'ETH', name: 'Ether', decimals: 18 },
      type: 'Transfer',
      from: alice,
      to: bob,
      rawAmount: '0x1',
      amount: '0.000000000000000001',
    },
  ],
  balanceChanges: [
    {
      address: alice,
      dollarValue: '0',
      transfers: [0],
      assets: [{ standard: 'NativeCurrency', in: '0x0', out: '0x1', net: '-0x1', amount: '-0.000000000000000001' }],
    },
    {
      address: bob,
      dollarValue: '0',
      transfers: [0],
      assets: [{ standard: 'NativeCurrency', in: '0x1', out: '0x0', net: '0x1', amount: '0.000000000000000001' }],
    },
  ],
  stateChanges: [
    {
      address: alice,
      nonce: { previousValue: '0x0', newValue: '0x1' },
      balance: { previousValue: '0xde0b6b3a7640000', newValue: '0xde0b6b3a763ffff' },
    },
    { address: bob, balance: { previousValue: '0x0', newValue: '0x1' } },
  ],
  accessList: [],
  fee: {
    gasPrice: '0x77359400',
    baseFeePerGas: '0x3b9aca00',
    gasFee: '0x2632e314a000',
    blobFee: '0x0',
    total: '0x2632e314a000',
    isCharged: false,
  },
}

const { assetChanges, balanceChanges, ...failed } = exampleSimulation

/** A transaction that reverted with a text. */
export const exampleFailure: z.output<typeof TenderlySimulation> = {
  ...failed,
  status: false,
  trace: failed.trace.map((frame) => ({ ...frame, error: 'execution reverted', errorReason: 'not now' })),
  stateChanges: [{ address: alice, nonce: { previousValue: '0x0', newValue: '0x1' } }],
  error: 'execution reverted',
  errorMessage: 'not now',
  errorInfo: {
    address: bob,
    data: '0x',
    error: { name: 'Error', inputs: [{ value: 'not now', type: 'string', name: 'message' }] },
    stack: [{ address: bob, contract: 'Token', file: 'src/Token.sol', line: 9, function: 'Token.pause' }],
  },
}
