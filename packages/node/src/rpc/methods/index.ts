import type { Method } from '../defineMethod.ts'
import { autoImpersonateAccount } from './anvil/autoImpersonateAccount.ts'
import { dropAllTransactions } from './anvil/dropAllTransactions.ts'
import { dropTransaction } from './anvil/dropTransaction.ts'
import { dumpState } from './anvil/dumpState.ts'
import { getAutomine } from './anvil/getAutomine.ts'
import { getGenesisTime } from './anvil/getGenesisTime.ts'
import { getIntervalMining } from './anvil/getIntervalMining.ts'
import { loadState } from './anvil/loadState.ts'
import { metadata } from './anvil/metadata.ts'
import { mineBlocks } from './anvil/mine.ts'
import { nodeInfo } from './anvil/nodeInfo.ts'
import { removeBlockTimestampInterval } from './anvil/removeBlockTimestampInterval.ts'
import { removePoolTransactions } from './anvil/removePoolTransactions.ts'
import { reorg } from './anvil/reorg.ts'
import { reset } from './anvil/reset.ts'
import { rollback } from './anvil/rollback.ts'
import { setBlockTimestampInterval } from './anvil/setBlockTimestampInterval.ts'
import { setCoinbase } from './anvil/setCoinbase.ts'
import { setLoggingEnabled } from './anvil/setLoggingEnabled.ts'
import { setNextBlockBaseFeePerGas } from './anvil/setNextBlockBaseFeePerGas.ts'
import { getBadBlocks } from './debug/getBadBlocks.ts'
import { getRawBlock } from './debug/getRawBlock.ts'
import { getRawBlockAccessList } from './debug/getRawBlockAccessList.ts'
import { getRawHeader } from './debug/getRawHeader.ts'
import { getRawReceipts } from './debug/getRawReceipts.ts'
import { getRawTransaction } from './debug/getRawTransaction.ts'
import { traceBlockByHash } from './debug/traceBlockByHash.ts'
import { traceBlockByNumber } from './debug/traceBlockByNumber.ts'
import { traceCall } from './debug/traceCall.ts'
import { traceTransaction } from './debug/traceTransaction.ts'
import { addBalance } from './dev/addBalance.ts'
import { addERC20Balance } from './dev/addERC20Balance.ts'
import { addFunctionOverride } from './dev/addFunctionOverride.ts'
import { addTrackedData } from './dev/addTrackedData.ts'
import { addWorkspace } from './dev/addWorkspace.ts'
import { checkFidelity } from './dev/checkFidelity.ts'
import { decodeTransaction } from './dev/decodeTransaction.ts'
import { disableFunctionOverride } from './dev/disableFunctionOverride.ts'
import { enableFunctionOverride } from './dev/enableFunctionOverride.ts'
import { followAccount } from './dev/followAccount.ts'
import { followSlots } from './dev/followSlots.ts'
import { followTokenBalance } from './dev/followTokenBalance.ts'
import { forecast } from './dev/forecast.ts'
import { getApiKeys } from './dev/getApiKeys.ts'
import { getAuditLog } from './dev/getAuditLog.ts'
import { getContractAbi } from './dev/getContractAbi.ts'
import { getContractSources } from './dev/getContractSources.ts'
import { getDrift } from './dev/getDrift.ts'
import { getFollowed } from './dev/getFollowed.ts'
import { getFunctionOverrides } from './dev/getFunctionOverrides.ts'
import { getFunctionOverridesByContract } from './dev/getFunctionOverridesByContract.ts'
import { getImpersonatedAccounts } from './dev/getImpersonatedAccounts.ts'
import { getImportedContracts } from './dev/getImportedContracts.ts'
import { getNetworkInfo } from './dev/getNetworkInfo.ts'
import { getTrackedData } from './dev/getTrackedData.ts'
import { getTrackedDataValues } from './dev/getTrackedDataValues.ts'
import { getUpstreamUsage } from './dev/getUpstreamUsage.ts'
import { getWorkspace } from './dev/getWorkspace.ts'
import { getWorkspaceActivity } from './dev/getWorkspaceActivity.ts'
import { getWorkspaceAssets } from './dev/getWorkspaceAssets.ts'
import { getWorkspaceCalls } from './dev/getWorkspaceCalls.ts'
import { getWorkspaceEvents } from './dev/getWorkspaceEvents.ts'
import { getWorkspaceHistory } from './dev/getWorkspaceHistory.ts'
import { getWorkspaceMethods } from './dev/getWorkspaceMethods.ts'
import { getWorkspaceOverview } from './dev/getWorkspaceOverview.ts'
import { getWorkspaceStorage } from './dev/getWorkspaceStorage.ts'
import { getWorkspaces } from './dev/getWorkspaces.ts'
import { getWorkspaceTransactions } from './dev/getWorkspaceTransactions.ts'
import { getWorkspaceTransfers } from './dev/getWorkspaceTransfers.ts'
import { impersonateAccount } from './dev/impersonateAccount.ts'
import { importContracts } from './dev/importContracts.ts'
import { removeFunctionOverride } from './dev/removeFunctionOverride.ts'
import { removeImportedContract } from './dev/removeImportedContract.ts'
import { removeTrackedData } from './dev/removeTrackedData.ts'
import { removeWorkspace } from './dev/removeWorkspace.ts'
import { resyncAccount } from './dev/resyncAccount.ts'
import { setBalance } from './dev/setBalance.ts'
import { setCode } from './dev/setCode.ts'
import { setERC20Allowance } from './dev/setERC20Allowance.ts'
import { setERC20Balance } from './dev/setERC20Balance.ts'
import { setMiningMode } from './dev/setMiningMode.ts'
import { setNonce } from './dev/setNonce.ts'
import { setStorageAt } from './dev/setStorageAt.ts'
import { setStorageVariable } from './dev/setStorageVariable.ts'
import { stopImpersonatingAccount } from './dev/stopImpersonatingAccount.ts'
import { unfollowAccount } from './dev/unfollowAccount.ts'
import { unfollowSlots } from './dev/unfollowSlots.ts'
import { unfollowTokenBalance } from './dev/unfollowTokenBalance.ts'
import { updateFunctionOverride } from './dev/updateFunctionOverride.ts'
import { updateTrackedData } from './dev/updateTrackedData.ts'
import { accounts } from './eth/accounts.ts'
import { baseFee } from './eth/baseFee.ts'
import { blobBaseFee } from './eth/blobBaseFee.ts'
import { blockNumber } from './eth/blockNumber.ts'
import { call } from './eth/call.ts'
import { callMany } from './eth/callMany.ts'
import { capabilities } from './eth/capabilities.ts'
import { chainId } from './eth/chainId.ts'
import { coinbase } from './eth/coinbase.ts'
import { config } from './eth/config.ts'
import { createAccessList } from './eth/createAccessList.ts'
import { estimateGas } from './eth/estimateGas.ts'
import { feeHistory } from './eth/feeHistory.ts'
import { fillTransaction } from './eth/fillTransaction.ts'
import { gasPrice } from './eth/gasPrice.ts'
import { getAccountInfo } from './eth/getAccountInfo.ts'
import { getBalance } from './eth/getBalance.ts'
import { getBlockAccessList } from './eth/getBlockAccessList.ts'
import { getBlockByHash } from './eth/getBlockByHash.ts'
import { getBlockByNumber } from './eth/getBlockByNumber.ts'
import { getBlockReceipts } from './eth/getBlockReceipts.ts'
import { getBlockTransactionCountByHash } from './eth/getBlockTransactionCountByHash.ts'
import { getBlockTransactionCountByNumber } from './eth/getBlockTransactionCountByNumber.ts'
import { getCode } from './eth/getCode.ts'
import { getFilterChanges } from './eth/getFilterChanges.ts'
import { getFilterLogs } from './eth/getFilterLogs.ts'
import { getHeaderByHash } from './eth/getHeaderByHash.ts'
import { getHeaderByNumber } from './eth/getHeaderByNumber.ts'
import { getLogs } from './eth/getLogs.ts'
import { getProof } from './eth/getProof.ts'
import { getRawTransactionByBlockHashAndIndex } from './eth/getRawTransactionByBlockHashAndIndex.ts'
import { getRawTransactionByBlockNumberAndIndex } from './eth/getRawTransactionByBlockNumberAndIndex.ts'
import { getStorageAt } from './eth/getStorageAt.ts'
import { getStorageValues } from './eth/getStorageValues.ts'
import { getTransactionByBlockHashAndIndex } from './eth/getTransactionByBlockHashAndIndex.ts'
import { getTransactionByBlockNumberAndIndex } from './eth/getTransactionByBlockNumberAndIndex.ts'
import { getTransactionByHash } from './eth/getTransactionByHash.ts'
import { getTransactionCount } from './eth/getTransactionCount.ts'
import { getTransactionReceipt } from './eth/getTransactionReceipt.ts'
import { getUncleByBlockHashAndIndex } from './eth/getUncleByBlockHashAndIndex.ts'
import { getUncleByBlockNumberAndIndex } from './eth/getUncleByBlockNumberAndIndex.ts'
import { getUncleCountByBlockHash } from './eth/getUncleCountByBlockHash.ts'
import { getUncleCountByBlockNumber } from './eth/getUncleCountByBlockNumber.ts'
import { hashrate } from './eth/hashrate.ts'
import { maxPriorityFeePerGas } from './eth/maxPriorityFeePerGas.ts'
import { mining } from './eth/mining.ts'
import { newBlockFilter } from './eth/newBlockFilter.ts'
import { newFilter } from './eth/newFilter.ts'
import { newPendingTransactionFilter } from './eth/newPendingTransactionFilter.ts'
import { pendingTransactions } from './eth/pendingTransactions.ts'
import { sendRawTransaction } from './eth/sendRawTransaction.ts'
import { sendRawTransactionSync } from './eth/sendRawTransactionSync.ts'
import { sendTransaction } from './eth/sendTransaction.ts'
import { sendTransactionSync } from './eth/sendTransactionSync.ts'
import { sign } from './eth/sign.ts'
import { signTransaction } from './eth/signTransaction.ts'
import { signTypedData } from './eth/signTypedData.ts'
import { simulateV1 } from './eth/simulateV1.ts'
import { subscribe } from './eth/subscribe.ts'
import { syncing } from './eth/syncing.ts'
import { uninstallFilter } from './eth/uninstallFilter.ts'
import { unsubscribe } from './eth/unsubscribe.ts'
import { increaseTime } from './evm/increaseTime.ts'
import { mine } from './evm/mine.ts'
import { mineDetailed } from './evm/mineDetailed.ts'
import { revert } from './evm/revert.ts'
import { setAutomine } from './evm/setAutomine.ts'
import { setBlockGasLimit } from './evm/setBlockGasLimit.ts'
import { setIntervalMining } from './evm/setIntervalMining.ts'
import { setNextBlockTimestamp } from './evm/setNextBlockTimestamp.ts'
import { setTime } from './evm/setTime.ts'
import { snapshot } from './evm/snapshot.ts'
import { dropTransactionOrNot } from './hardhat/dropTransaction.ts'
import { intervalMine } from './hardhat/intervalMine.ts'
import { hardhatMetadata } from './hardhat/metadata.ts'
import { setBlockTimestampIntervalMs } from './hardhat/setBlockTimestampInterval.ts'
import { setPrevRandao } from './hardhat/setPrevRandao.ts'
import { getWipeSchedule } from './mock/getWipeSchedule.ts'
import { setWipeSchedule } from './mock/setWipeSchedule.ts'
import { wipeLocalState } from './mock/wipeLocalState.ts'
import { listening } from './net/listening.ts'
import { peerCount } from './net/peerCount.ts'
import { version } from './net/version.ts'
import { otterscanApiLevel } from './ots/getApiLevel.ts'
import { getBlockDetails } from './ots/getBlockDetails.ts'
import { getBlockDetailsByHash } from './ots/getBlockDetailsByHash.ts'
import { getBlockTransactions } from './ots/getBlockTransactions.ts'
import { getContractCreator } from './ots/getContractCreator.ts'
import { getInternalOperations } from './ots/getInternalOperations.ts'
import { getTransactionBySenderAndNonce } from './ots/getTransactionBySenderAndNonce.ts'
import { getTransactionError } from './ots/getTransactionError.ts'
import { hasCode } from './ots/hasCode.ts'
import { searchTransactionsAfter } from './ots/searchTransactionsAfter.ts'
import { searchTransactionsBefore } from './ots/searchTransactionsBefore.ts'
import { traceForOtterscan } from './ots/traceTransaction.ts'
import { personalSign } from './personal/sign.ts'
import { discoverOf } from './rpc/discover.ts'
import { modulesOf } from './rpc/modules.ts'
import { addBalanceToAll } from './tenderly/addBalance.ts'
import { addErc20BalanceOfAll } from './tenderly/addErc20Balance.ts'
import { setBalanceOfAll } from './tenderly/setBalance.ts'
import { setErc20BalanceOfAll } from './tenderly/setErc20Balance.ts'
import { traceBlockCalls } from './trace/block.ts'
import { traceSingleCall } from './trace/call.ts'
import { traceCalls } from './trace/callMany.ts'
import { filterTraces } from './trace/filter.ts'
import { getTrace } from './trace/get.ts'
import { traceRawTransaction } from './trace/rawTransaction.ts'
import { replayBlockTransactions } from './trace/replayBlockTransactions.ts'
import { replayTransaction } from './trace/replayTransaction.ts'
import { traceTransactionCalls } from './trace/transaction.ts'
import { poolContent } from './txpool/content.ts'
import { poolContentFrom } from './txpool/contentFrom.ts'
import { poolInspect } from './txpool/inspect.ts'
import { poolStatus } from './txpool/status.ts'
import { clientVersion } from './web3/clientVersion.ts'
import { sha3 } from './web3/sha3.ts'

const listed: readonly Method[] = [
  // web3_
  clientVersion,
  sha3,
  // net_
  listening,
  peerCount,
  version,
  // personal_
  personalSign,
  // eth_
  accounts,
  blobBaseFee,
  blockNumber,
  call,
  chainId,
  coinbase,
  estimateGas,
  feeHistory,
  gasPrice,
  getBalance,
  getBlockByHash,
  getBlockByNumber,
  getBlockReceipts,
  getBlockTransactionCountByHash,
  getBlockTransactionCountByNumber,
  getCode,
  getFilterChanges,
  getFilterLogs,
  getLogs,
  getStorageAt,
  getTransactionByBlockHashAndIndex,
  getTransactionByBlockNumberAndIndex,
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt,
  maxPriorityFeePerGas,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  sendRawTransaction,
  sendTransaction,
  sign,
  signTypedData,
  subscribe,
  syncing,
  uninstallFilter,
  unsubscribe,
  callMany,
  createAccessList,
  getBlockAccessList,
  getHeaderByHash,
  getHeaderByNumber,
  getProof,
  getRawTransactionByBlockHashAndIndex,
  getRawTransactionByBlockNumberAndIndex,
  getStorageValues,
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
  pendingTransactions,
  simulateV1,
  baseFee,
  capabilities,
  config,
  fillTransaction,
  getAccountInfo,
  hashrate,
  mining,
  sendRawTransactionSync,
  sendTransactionSync,
  signTransaction,
  // txpool_
  poolContent,
  poolContentFrom,
  poolInspect,
  poolStatus,
  // debug_
  getRawBlock,
  getRawHeader,
  getRawReceipts,
  getRawTransaction,
  traceBlockByHash,
  traceBlockByNumber,
  traceCall,
  traceTransaction,
  getBadBlocks,
  getRawBlockAccessList,
  // ots_
  otterscanApiLevel,
  getBlockDetails,
  getBlockDetailsByHash,
  getBlockTransactions,
  getContractCreator,
  getInternalOperations,
  getTransactionBySenderAndNonce,
  getTransactionError,
  hasCode,
  searchTransactionsAfter,
  searchTransactionsBefore,
  traceForOtterscan,
  // trace_
  filterTraces,
  getTrace,
  replayBlockTransactions,
  replayTransaction,
  traceBlockCalls,
  traceCalls,
  traceRawTransaction,
  traceSingleCall,
  traceTransactionCalls,
  // evm_
  increaseTime,
  mine,
  mineDetailed,
  revert,
  setAutomine,
  setBlockGasLimit,
  setIntervalMining,
  setNextBlockTimestamp,
  setTime,
  snapshot,
  // anvil_
  autoImpersonateAccount,
  dropAllTransactions,
  dropTransaction,
  dumpState,
  getAutomine,
  getGenesisTime,
  getIntervalMining,
  loadState,
  metadata,
  mineBlocks,
  nodeInfo,
  removeBlockTimestampInterval,
  removePoolTransactions,
  reorg,
  reset,
  rollback,
  setBlockTimestampInterval,
  setCoinbase,
  setLoggingEnabled,
  setNextBlockBaseFeePerGas,
  // hardhat_
  dropTransactionOrNot,
  hardhatMetadata,
  intervalMine,
  setBlockTimestampIntervalMs,
  setPrevRandao,
  // tenderly_
  addBalanceToAll,
  addErc20BalanceOfAll,
  setBalanceOfAll,
  setErc20BalanceOfAll,
  // dev_
  addWorkspace,
  getWorkspaces,
  getWorkspace,
  getWorkspaceOverview,
  getWorkspaceActivity,
  getWorkspaceTransactions,
  getWorkspaceCalls,
  getWorkspaceEvents,
  getWorkspaceTransfers,
  getWorkspaceAssets,
  getWorkspaceStorage,
  getWorkspaceMethods,
  getWorkspaceHistory,
  removeWorkspace,
  addBalance,
  addERC20Balance,
  addFunctionOverride,
  addTrackedData,
  decodeTransaction,
  disableFunctionOverride,
  enableFunctionOverride,
  followAccount,
  followSlots,
  followTokenBalance,
  getApiKeys,
  getContractAbi,
  getContractSources,
  checkFidelity,
  forecast,
  getDrift,
  getAuditLog,
  getUpstreamUsage,
  getFollowed,
  getFunctionOverrides,
  getFunctionOverridesByContract,
  getImpersonatedAccounts,
  getImportedContracts,
  getNetworkInfo,
  getTrackedData,
  getTrackedDataValues,
  impersonateAccount,
  importContracts,
  removeFunctionOverride,
  removeImportedContract,
  removeTrackedData,
  resyncAccount,
  setBalance,
  setCode,
  setERC20Allowance,
  setERC20Balance,
  setNonce,
  setStorageAt,
  setStorageVariable,
  stopImpersonatingAccount,
  unfollowAccount,
  unfollowSlots,
  unfollowTokenBalance,
  updateFunctionOverride,
  updateTrackedData,
  setMiningMode,
  // mock_
  wipeLocalState,
  setWipeSchedule,
  getWipeSchedule,
]

/** Every method of the network. Docs, completeness tests and the client's types are derived from this list. */
export const methods: readonly Method[] = [...listed, modulesOf(listed), discoverOf(listed)]
