import { artifacts, testAccounts } from '@understudy/testkit'
import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex, pad, toHex } from 'viem'

/** A request as clients send it. What it says of `{name}` is filled from what an earlier one, `as: name`, was answered. */
export type Step = { method: string; params: unknown[]; as?: string }

const [alice, bob] = testAccounts
const stranger: Address = `0x${'5e'.repeat(20)}`
const { abi, bytecode } = artifacts.Counter

/** Contracts that both networks find on the live chain, with one transaction of the first account each. */
export const upstreamCounter = getContractAddress({ from: alice.address, nonce: 0n }).toLowerCase() as Address
export const upstreamReverter = getContractAddress({ from: alice.address, nonce: 1n }).toLowerCase() as Address

const call = (functionName: 'increment' | 'number', address = upstreamCounter) => ({
  to: address,
  data: encodeFunctionData({ abi, functionName }),
})
const revert = (functionName: string, args: unknown[]) => ({
  to: upstreamReverter,
  data: encodeFunctionData({ abi: artifacts.Reverter.abi, functionName, args } as never),
})

/** Signs with fees that any block takes. */
async function signed(chainId: number, nonce: number, fields: { to?: Address; value?: bigint; data?: Hex }) {
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  return alice.signTransaction({ chainId, nonce, gas: 1_000_000n, type: 'eip1559', ...fees, ...fields })
}

/** A day of a test suite, in small: what the live chain has, transactions, blocks, logs, state, errors. `nonce`: the first of alice's. */
export async function recordRequests(chainId: number, nonce: number, time: number): Promise<Step[]> {
  const raw = await Promise.all([
    signed(chainId, nonce, { to: bob.address, value: 5n }),
    signed(chainId, nonce + 1, { data: encodeDeployData({ abi, bytecode, args: [7n] }) }),
    signed(chainId, nonce + 2, call('increment')),
    signed(chainId, nonce + 3, { ...revert('withReason', ['no']) }),
  ])
  const created = getContractAddress({ from: alice.address, nonce: BigInt(nonce + 1) }).toLowerCase() as Address
  const read = (method: string, ...params: unknown[]): Step => ({ method, params })
  const sendAt = (offset: number, index: number, as: string): Step[] => [
    read('evm_setNextBlockTimestamp', time + offset),
    { method: 'eth_sendRawTransaction', params: [raw[index]], as },
    read('eth_getTransactionByHash', `{${as}}`),
    read('eth_getTransactionReceipt', `{${as}}`),
  ]
  return [
    // What the network is.
    read('web3_clientVersion'),
    read('eth_chainId'),
    read('net_version'),
    read('net_listening'),
    read('eth_syncing'),
    read('eth_accounts'),
    read('eth_blockNumber'),
    read('eth_gasPrice'),
    read('eth_maxPriorityFeePerGas'),
    read('eth_blobBaseFee'),
    read('web3_sha3', '0x68656c6c6f'),
    // What the live chain has.
    read('eth_getBalance', alice.address, 'latest'),
    read('eth_getTransactionCount', alice.address, 'latest'),
    read('eth_getCode', upstreamCounter, 'latest'),
    read('eth_getCode', stranger, 'latest'),
    read('eth_getStorageAt', upstreamCounter, '0x0', 'latest'),
    read('eth_getStorageAt', upstreamCounter, '0x0', '0x1'),
    read('eth_call', call('number'), 'latest'),
    read('eth_call', call('number'), '0x1'),
    read('eth_getBlockByNumber', '0x1', true),
    read('eth_getBlockByNumber', '0x1', false),
    read('eth_getBlockByNumber', '0x0', false),
    read('eth_getBlockTransactionCountByNumber', '0x1'),
    read('eth_getTransactionByBlockNumberAndIndex', '0x1', '0x0'),
    read('eth_getBlockReceipts', '0x1'),
    read('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: upstreamCounter }),
    read('eth_feeHistory', '0x2', 'latest', [50]),
    // Transactions.
    ...sendAt(100, 0, 'transfer'),
    ...sendAt(200, 1, 'deployment'),
    ...sendAt(300, 2, 'increment'),
    ...sendAt(400, 3, 'failure'),
    read('eth_getBlockByNumber', 'latest', false),
    read('eth_getBlockByNumber', 'latest', true),
    read('eth_getBlockReceipts', 'latest'),
    read('eth_getCode', created, 'latest'),
    read('eth_call', call('number', created), 'latest'),
    read('eth_call', call('number'), 'latest'),
    read('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: [upstreamCounter, created] }),
    read('eth_getBalance', bob.address, 'latest'),
    read('eth_getTransactionCount', alice.address, 'pending'),
    read('eth_estimateGas', { from: alice.address, to: bob.address, value: '0x1' }),
    read('eth_estimateGas', { from: alice.address, ...call('increment') }),
    read('eth_createAccessList', { from: alice.address, ...call('increment') }),
    read('debug_traceTransaction', '{increment}', { tracer: 'callTracer' }),
    read('debug_traceTransaction', '{failure}', { tracer: 'callTracer' }),
    read('txpool_status'),
    read('eth_coinbase'),
    read('eth_call', call('number'), 'latest', { [upstreamCounter]: { stateDiff: { [pad('0x0')]: pad('0x2a') } } }),
    // Direct writes, impersonation, time.
    read('anvil_setBalance', stranger, '0xde0b6b3a7640000'),
    read('eth_getBalance', stranger, 'latest'),
    read('eth_sendTransaction', { from: stranger, to: bob.address, value: '0x1', gas: '0x5208' }),
    read('anvil_impersonateAccount', stranger),
    {
      method: 'eth_sendTransaction',
      params: [{ from: stranger, to: bob.address, value: '0x1', gas: '0x5208' }],
      as: 'unsigned',
    },
    read('eth_getTransactionReceipt', '{unsigned}'),
    read('anvil_stopImpersonatingAccount', stranger),
    read('anvil_setNonce', stranger, '0x9'),
    read('eth_getTransactionCount', stranger, 'latest'),
    read('anvil_setCode', stranger, '0x6001'),
    read('eth_getCode', stranger, 'latest'),
    read('anvil_setStorageAt', stranger, '0x1', pad('0x5')),
    read('eth_getStorageAt', stranger, '0x1', 'latest'),
    { method: 'evm_snapshot', params: [], as: 'snapshot' },
    read('anvil_setBalance', stranger, '0x1'),
    read('evm_mine'),
    read('evm_revert', '{snapshot}'),
    read('eth_getBalance', stranger, 'latest'),
    read('evm_revert', '0x999'),
    read('anvil_mine', '0x3', '0xa'),
    read('evm_setAutomine', false),
    read('anvil_getAutomine'),
    read('evm_setAutomine', true),
    read('eth_blockNumber'),
    // What goes wrong.
    read('eth_sendRawTransaction', raw[0]),
    read('eth_sendRawTransaction', '0x02'),
    read('eth_call', revert('withReason', ['no']), 'latest'),
    read('eth_call', revert('withCustomError', [7n]), 'latest'),
    read('eth_estimateGas', { from: alice.address, ...revert('withReason', ['no']) }),
    read('eth_estimateGas', { from: stranger, to: bob.address, value: toHex(10n ** 30n) }),
    read('eth_sendTransaction', { from: alice.address, to: bob.address, value: toHex(10n ** 30n), gas: '0x5208' }),
    read('eth_getBlockByNumber', '0xffffff', false),
    read('eth_getBalance', alice.address, '0xffffff'),
    read('eth_getTransactionByHash', pad('0x1')),
    read('eth_getTransactionReceipt', pad('0x1')),
    read('eth_nothing'),
    read('eth_getBalance', '0x12', 'latest'),
    read('eth_getBalance'),
    read('eth_call', { to: stranger, gas: '0x1', data: '0x' }, 'latest'),
  ]
}
