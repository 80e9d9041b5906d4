import type { Method } from '../defineMethod.ts'
import { accountInfoAt } from './debug/accountInfoAt.ts'
import { codeByHash } from './debug/codeByHash.ts'
import { getBadBlocks } from './debug/getBadBlocks.ts'
import { getModifiedAccountsByHash } from './debug/getModifiedAccountsByHash.ts'
import { getModifiedAccountsByNumber } from './debug/getModifiedAccountsByNumber.ts'
import { getRawBlock } from './debug/getRawBlock.ts'
import { getRawBlockAccessList } from './debug/getRawBlockAccessList.ts'
import { getRawHeader } from './debug/getRawHeader.ts'
import { getRawReceipts } from './debug/getRawReceipts.ts'
import { getRawTransaction } from './debug/getRawTransaction.ts'
import { getRawTransactions } from './debug/getRawTransactions.ts'
import { storageRangeAt } from './debug/storageRangeAt.ts'
import { traceBlock } from './debug/traceBlock.ts'
import { traceBlockByHash } from './debug/traceBlockByHash.ts'
import { traceBlockByNumber } from './debug/traceBlockByNumber.ts'
import { traceCall } from './debug/traceCall.ts'
import { traceTransaction } from './debug/traceTransaction.ts'
import { accounts } from './eth/accounts.ts'
import { baseFee } from './eth/baseFee.ts'
import { blobBaseFee } from './eth/blobBaseFee.ts'
import { blockNumber } from './eth/blockNumber.ts'
import { call } from './eth/call.ts'
import { callBundle } from './eth/callBundle.ts'
import { callMany } from './eth/callMany.ts'
import { capabilities } from './eth/capabilities.ts'
import { chainId } from './eth/chainId.ts'
import { coinbase } from './eth/coinbase.ts'
import { config } from './eth/config.ts'
import { createAccessList } from './eth/createAccessList.ts'
import { estimateGas } from './eth/estimateGas.ts'
import { estimateUserOperationGas } from './eth/estimateUserOperationGas.ts'
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
import { transactionBySenderAndNonce } from './eth/getTransactionBySenderAndNonce.ts'
import { getTransactionCount } from './eth/getTransactionCount.ts'
import { getTransactionReceipt } from './eth/getTransactionReceipt.ts'
import { getUncleByBlockHashAndIndex } from './eth/getUncleByBlockHashAndIndex.ts'
import { getUncleByBlockNumberAndIndex } from './eth/getUncleByBlockNumberAndIndex.ts'
import { getUncleCountByBlockHash } from './eth/getUncleCountByBlockHash.ts'
import { getUncleCountByBlockNumber } from './eth/getUncleCountByBlockNumber.ts'
import { getUserOperationByHash } from './eth/getUserOperationByHash.ts'
import { getUserOperationReceipt } from './eth/getUserOperationReceipt.ts'
import { hashrate } from './eth/hashrate.ts'
import { maxPriorityFeePerGas } from './eth/maxPriorityFeePerGas.ts'
import { mining } from './eth/mining.ts'
import { newBlockFilter } from './eth/newBlockFilter.ts'
import { newFilter } from './eth/newFilter.ts'
import { newPendingTransactionFilter } from './eth/newPendingTransactionFilter.ts'
import { pendingTransactions } from './eth/pendingTransactions.ts'
import { resend } from './eth/resend.ts'
import { sendRawTransaction } from './eth/sendRawTransaction.ts'
import { sendRawTransactionConditional } from './eth/sendRawTransactionConditional.ts'
import { sendRawTransactionSync } from './eth/sendRawTransactionSync.ts'
import { sendTransaction } from './eth/sendTransaction.ts'
import { sendTransactionSync } from './eth/sendTransactionSync.ts'
import { sendUserOperation } from './eth/sendUserOperation.ts'
import { sign } from './eth/sign.ts'
import { signTransaction } from './eth/signTransaction.ts'
import { signTypedData } from './eth/signTypedData.ts'
import { simulateV1 } from './eth/simulateV1.ts'
import { subscribe } from './eth/subscribe.ts'
import { supportedEntryPoints } from './eth/supportedEntryPoints.ts'
import { syncing } from './eth/syncing.ts'
import { uninstallFilter } from './eth/uninstallFilter.ts'
import { unsubscribe } from './eth/unsubscribe.ts'
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
import { getPaymasterData, getPaymasterStubData } from './pm/getPaymasterData.ts'
import { traceBlockCalls } from './trace/block.ts'
import { blockOpcodeGas } from './trace/blockOpcodeGas.ts'
import { traceSingleCall } from './trace/call.ts'
import { traceCalls } from './trace/callMany.ts'
import { filterTraces } from './trace/filter.ts'
import { getTrace } from './trace/get.ts'
import { traceRawTransaction } from './trace/rawTransaction.ts'
import { replayBlockTransactions } from './trace/replayBlockTransactions.ts'
import { replayTransaction } from './trace/replayTransaction.ts'
import { traceTransactionCalls } from './trace/transaction.ts'
import { transactionOpcodeGas } from './trace/transactionOpcodeGas.ts'
import { poolContent } from './txpool/content.ts'
import { poolContentFrom } from './txpool/contentFrom.ts'
import { poolInspect } from './txpool/inspect.ts'
import { poolStatus } from './txpool/status.ts'
import { getCallsStatus } from './wallet/getCallsStatus.ts'
import { getCapabilities } from './wallet/getCapabilities.ts'
import { sendCalls } from './wallet/sendCalls.ts'
import { showCallsStatus } from './wallet/showCallsStatus.ts'
import { addEthereumChain, switchEthereumChain } from './wallet/switchEthereumChain.ts'
import { watchAsset } from './wallet/watchAsset.ts'
import { clientVersion } from './web3/clientVersion.ts'
import { sha3 } from './web3/sha3.ts'

/** The methods of Ethereum nodes and of block explorers. */
export const standardMethods: readonly Method[] = [
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
  sendRawTransactionConditional,
  resend,
  transactionBySenderAndNonce,
  callBundle,
  sendUserOperation,
  estimateUserOperationGas,
  getUserOperationByHash,
  getUserOperationReceipt,
  supportedEntryPoints,
  // pm_
  getPaymasterStubData,
  getPaymasterData,
  // wallet_
  sendCalls,
  getCallsStatus,
  showCallsStatus,
  getCapabilities,
  switchEthereumChain,
  watchAsset,
  addEthereumChain,
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
  getModifiedAccountsByHash,
  getModifiedAccountsByNumber,
  getRawTransactions,
  accountInfoAt,
  storageRangeAt,
  codeByHash,
  traceBlock,
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
  transactionOpcodeGas,
  blockOpcodeGas,
]
