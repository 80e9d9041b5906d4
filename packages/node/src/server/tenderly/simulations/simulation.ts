import { createHash } from 'node:crypto'
import type { Currency } from '../../../ethereum/chains/profile.ts'
import type { EncodedOutcome } from '../../../rpc/encode/outcome/outcome.ts'
import { quantity } from '../../../shared/hex.ts'
import { assetChanges, balanceDiff, exposureChanges, nonceDiff, stateDiff } from './changes.ts'
import type { Call } from './decoded.ts'
import { callTrace, flatTrace, logsOf, stackTrace } from './trace.ts'

type Block = EncodedOutcome['block']

/** A simulation, stored or not. */
export type SimulationFacts = {
  id: string
  project: string
  account: string
  createdAt: string
  isShared: boolean
  transactionIndex: number
}

/** What lists have of a simulation, which is a part of it. */
export type SimulationEntry = {
  blockNumber: number
  timestamp: number
  chainId: number
  from: string
  to: string | null
  value: string
  input: string
  nonce: string
  gas: string
  gasPrice: string
  gasUsed: string
  status: 'succeeded' | 'failed'
  function: string | null
  error: string | null
}

/** The short form of a simulation. */
export function encodeEntry(entry: SimulationEntry, facts: SimulationFacts, accessList: unknown[] = []) {
  const { id, project, account, createdAt, isShared, transactionIndex } = facts
  return {
    id,
    project_id: project,
    owner_id: account,
    network_id: String(entry.chainId),
    block_number: entry.blockNumber,
    transaction_index: transactionIndex,
    ...{ from: entry.from, to: entry.to ?? '', input: entry.input },
    ...{ gas: Number(entry.gas), gas_price: entry.gasPrice, gas_used: Number(entry.gasUsed), value: entry.value },
    ...{ method: entry.function ?? '', status: entry.status === 'succeeded' },
    ...(entry.error !== null && { error_message: entry.error }),
    access_list: accessList,
    queue_origin: '',
    created_at: createdAt,
    block_header: { number: quantity(BigInt(entry.blockNumber)), timestamp: quantity(BigInt(entry.timestamp)) },
    shared: isShared,
  }
}

const entryOf = ({ message, ...call }: Call, { number, timestamp, chainId }: Block): SimulationEntry => ({
  ...{ blockNumber: number, timestamp, chainId, ...message },
  ...{ gasUsed: call.gasUsed, status: call.status, function: call.function?.name ?? null },
  error: call.error ? (call.error.reason ?? call.error.message) : null,
})

/** A hash that stands for that of the transaction, which there is none of. */
const hashOf = (id: string) => `0x${createHash('sha256').update(id).digest('hex')}`

export const contractId = (chainId: number, address: string) => `eth:${chainId}:${address}`

/** Everything about a simulation. `cumulativeGasUsed`: with that of the simulations before it. */
export function encodeSimulation(
  call: Call,
  block: Block,
  { currency, cumulativeGasUsed, ...facts }: SimulationFacts & { currency: Currency; cumulativeGasUsed: bigint },
) {
  const simulation = encodeEntry(entryOf(call, block), facts, accessListOf(call.message.accessList))
  return {
    transaction: {
      ...encodeTransaction(call, block, facts),
      cumulative_gas_used: Number(cumulativeGasUsed),
      call_trace: flatTrace(call),
      transaction_info: encodeInfo(call, block, { currency, id: facts.id, createdAt: facts.createdAt }),
    },
    simulation: {
      ...simulation,
      ...(call.sufficientGas !== null && { estimated_gas: Number(call.sufficientGas) }),
    },
    contracts: encodeContracts(call, block),
    generated_access_list: accessListOf(call.accessList),
    ...(call.truncated.length > 0 && { truncated: call.truncated }),
  }
}

const accessListOf = (list: Call['accessList']) =>
  list.map(({ address, storageKeys }) => ({ address, storage_keys: storageKeys }))

function encodeTransaction(call: Call, block: Block, { id, transactionIndex }: SimulationFacts) {
  const { message, status, gasUsed, error, contracts } = call
  const { from, to, input, gas, gasPrice, nonce, value } = message
  return {
    hash: hashOf(id),
    block_hash: block.hash,
    block_number: block.number,
    ...{ from, to: to ?? '', gas: Number(gas), gas_price: Number(gasPrice), gas_used: Number(gasUsed) },
    effective_gas_price: Number(gasPrice),
    ...{ input, nonce: Number(nonce), index: transactionIndex, value: quantity(BigInt(value)) },
    ...(message.maxFeePerGas !== null && { gas_fee_cap: Number(message.maxFeePerGas) }),
    ...(message.maxPriorityFeePerGas !== null && { gas_tip_cap: Number(message.maxPriorityFeePerGas) }),
    status: status === 'succeeded',
    addresses: [...new Set([from, ...(to ? [to] : []), ...contracts.map(({ address }) => address)])],
    contract_ids: contracts.map(({ address }) => contractId(block.chainId, address)),
    network_id: String(block.chainId),
    function_selector: input.length >= 10 ? input.slice(0, 10) : '',
    method: call.function?.name ?? '',
    timestamp: new Date(block.timestamp * 1000).toISOString(),
    ...(call.createdAddress !== null && { created_address: call.createdAddress }),
    ...(error && {
      error_message: error.reason ?? error.message,
      error_info: { error_message: error.reason ?? error.message, address: error.address, data: error.data },
    }),
  }
}

type InfoNeeds = { currency: Currency; id: string; createdAt: string }

function encodeInfo(call: Call, block: Block, { currency, id, createdAt }: InfoNeeds) {
  const { message, contracts, fee } = call
  const target = message.to ?? call.createdAddress ?? ''
  const isContract = contracts.some(({ address }) => address === target)
  return {
    ...(isContract && { contract_id: contractId(block.chainId, target), contract_address: target }),
    block_number: block.number,
    transaction_id: id,
    method: call.function?.name ?? null,
    parameters: null,
    call_trace: callTrace(call, block, hashOf(id)) ?? null,
    stack_trace: stackTrace(call),
    logs: call.logs.length === 0 ? null : logsOf(call),
    balance_diff: orNull(balanceDiff(call, block.coinbase)),
    nonce_diff: orNull(nonceDiff(call)),
    state_diff: orNull(stateDiff(call)),
    asset_changes: orNull(assetChanges(call, currency)),
    exposure_changes: orNull(exposureChanges(call, currency)),
    console_logs: null,
    created_at: createdAt,
    // Not of the published shape.
    fee: { gas_price: fee.gasPrice, base_fee: fee.baseFee, total: fee.total, l1: fee.l1, is_charged: fee.isCharged },
  }
}

const orNull = <Item>(items: Item[]): Item[] | null => (items.length === 0 ? null : items)

/** Where proxies of ERC-1967 have the address of what they run. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** The contracts that something is known of: clients take those of this list as verified. */
function encodeContracts({ contracts, accessList }: Call, { chainId }: Block) {
  const proxies = new Set(
    accessList.flatMap((each) => (each.storageKeys.includes(implementationSlot) ? each.address : [])),
  )
  const known = contracts.filter(({ name, isAbiKnown }) => name !== null || isAbiKnown)
  return known.map(({ address, name, token, implementations, abi, isCreated }) => ({
    id: contractId(chainId, address),
    contract_id: contractId(chainId, address),
    address,
    contract_name: name ?? '',
    network_id: String(chainId),
    ...(token && {
      standard: token.kind.toUpperCase(),
      token_data: {
        symbol: token.symbol ?? '',
        name: token.name ?? '',
        ...(token.decimals !== null && { decimals: token.decimals }),
      },
    }),
    standards: [...(proxies.has(address) ? ['eip1967'] : []), ...(token ? [token.kind] : [])],
    ...(token && token.problems.length > 0 && { problems: token.problems }),
    ...(implementations.length > 0 && {
      child_contracts: implementations.map((each) => ({
        ...{ id: contractId(chainId, each), address: each, network_id: String(chainId) },
      })),
    }),
    ...(isCreated && { is_created: isCreated }),
    data: { contract_info: [{ id: 0, path: '', name: name ?? '', source: '' }], abi: abi ?? [] },
  }))
}
