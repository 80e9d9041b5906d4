import type { Method } from '../defineMethod.ts'
import { autoImpersonateAccount } from './anvil/autoImpersonateAccount.ts'
import { dropAllTransactions } from './anvil/dropAllTransactions.ts'
import { dropTransaction } from './anvil/dropTransaction.ts'
import { dumpState } from './anvil/dumpState.ts'
import { getAutomine } from './anvil/getAutomine.ts'
import { getBlobByHash } from './anvil/getBlobByHash.ts'
import { getBlobsByTransactionHash } from './anvil/getBlobsByTransactionHash.ts'
import { getGenesisTime } from './anvil/getGenesisTime.ts'
import { getIntervalMining } from './anvil/getIntervalMining.ts'
import { impersonateSignature } from './anvil/impersonateSignature.ts'
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
import { setChainId } from './anvil/setChainId.ts'
import { setCoinbase } from './anvil/setCoinbase.ts'
import { setLoggingEnabled } from './anvil/setLoggingEnabled.ts'
import { setNextBlockBaseFeePerGas } from './anvil/setNextBlockBaseFeePerGas.ts'
import { setRpcUrl } from './anvil/setRpcUrl.ts'
import { addBalance } from './dev/addBalance.ts'
import { addERC20Balance } from './dev/addERC20Balance.ts'
import { addFunctionOverride } from './dev/addFunctionOverride.ts'
import { addInvariant } from './dev/addInvariant.ts'
import { addTrackedData } from './dev/addTrackedData.ts'
import { addWorkspace } from './dev/addWorkspace.ts'
import { callWithoutOverrides } from './dev/callWithoutOverrides.ts'
import { checkFidelity } from './dev/checkFidelity.ts'
import { compareBranches } from './dev/compareBranches.ts'
import { compareGas } from './dev/compareGas.ts'
import { compareTransactions } from './dev/compareTransactions.ts'
import { createBranch } from './dev/createBranch.ts'
import { createNetwork } from './dev/createNetwork.ts'
import { debugClose } from './dev/debugClose.ts'
import { debugLines } from './dev/debugLines.ts'
import { debugOpen } from './dev/debugOpen.ts'
import { debugOperations } from './dev/debugOperations.ts'
import { debugStep } from './dev/debugStep.ts'
import { debugVariables } from './dev/debugVariables.ts'
import { decodeTransaction } from './dev/decodeTransaction.ts'
import { disableFunctionOverride } from './dev/disableFunctionOverride.ts'
import { enableFunctionOverride } from './dev/enableFunctionOverride.ts'
import { followAccount } from './dev/followAccount.ts'
import { followSlots } from './dev/followSlots.ts'
import { followTokenBalance } from './dev/followTokenBalance.ts'
import { forecast } from './dev/forecast.ts'
import { getApiKeys } from './dev/getApiKeys.ts'
import { getAuditLog } from './dev/getAuditLog.ts'
import { getBranches } from './dev/getBranches.ts'
import { getConsoleLogs } from './dev/getConsoleLogs.ts'
import { getContractAbi } from './dev/getContractAbi.ts'
import { getContractSources } from './dev/getContractSources.ts'
import { getCoverage } from './dev/getCoverage.ts'
import { getDivergenceCounts } from './dev/getDivergenceCounts.ts'
import { getDivergences } from './dev/getDivergences.ts'
import { getDrift } from './dev/getDrift.ts'
import { getFollowed } from './dev/getFollowed.ts'
import { getFunctionOverrides } from './dev/getFunctionOverrides.ts'
import { getFunctionOverridesByContract } from './dev/getFunctionOverridesByContract.ts'
import { getGasProfile } from './dev/getGasProfile.ts'
import { getImpersonatedAccounts } from './dev/getImpersonatedAccounts.ts'
import { getImportedContracts } from './dev/getImportedContracts.ts'
import { getInvariants } from './dev/getInvariants.ts'
import { getLocalState } from './dev/getLocalState.ts'
import { getNetworkInfo } from './dev/getNetworkInfo.ts'
import { getNetworks } from './dev/getNetworks.ts'
import { getRole } from './dev/getRole.ts'
import { getShadow } from './dev/getShadow.ts'
import { getSlotHistory } from './dev/getSlotHistory.ts'
import { getSnapshots } from './dev/getSnapshots.ts'
import { getStackTrace } from './dev/getStackTrace.ts'
import { getTrackedData } from './dev/getTrackedData.ts'
import { getTrackedDataValues } from './dev/getTrackedDataValues.ts'
import { getTransactionNotes } from './dev/getTransactionNotes.ts'
import { getTransactions } from './dev/getTransactions.ts'
import { getUpstreamUsage } from './dev/getUpstreamUsage.ts'
import { getWebhook } from './dev/getWebhook.ts'
import { getWorkspace } from './dev/getWorkspace.ts'
import { getWorkspaceActivity } from './dev/getWorkspaceActivity.ts'
import { getWorkspaceAssets } from './dev/getWorkspaceAssets.ts'
import { getWorkspaceCalls } from './dev/getWorkspaceCalls.ts'
import { getWorkspaceEvents } from './dev/getWorkspaceEvents.ts'
import { getWorkspaceGas } from './dev/getWorkspaceGas.ts'
import { getWorkspaceHistory } from './dev/getWorkspaceHistory.ts'
import { getWorkspaceMethods } from './dev/getWorkspaceMethods.ts'
import { getWorkspaceOverview } from './dev/getWorkspaceOverview.ts'
import { getWorkspaceStorage } from './dev/getWorkspaceStorage.ts'
import { getWorkspaces } from './dev/getWorkspaces.ts'
import { getWorkspaceTransactions } from './dev/getWorkspaceTransactions.ts'
import { getWorkspaceTransfers } from './dev/getWorkspaceTransfers.ts'
import { impersonateAccount } from './dev/impersonateAccount.ts'
import { importContracts } from './dev/importContracts.ts'
import { promoteBranch } from './dev/promoteBranch.ts'
import { removeBranch } from './dev/removeBranch.ts'
import { removeFunctionOverride } from './dev/removeFunctionOverride.ts'
import { removeImportedContract } from './dev/removeImportedContract.ts'
import { removeInvariant } from './dev/removeInvariant.ts'
import { removeNetwork } from './dev/removeNetwork.ts'
import { removeTrackedData } from './dev/removeTrackedData.ts'
import { removeWorkspace } from './dev/removeWorkspace.ts'
import { renameBranch } from './dev/renameBranch.ts'
import { resyncAccount } from './dev/resyncAccount.ts'
import { setBalance } from './dev/setBalance.ts'
import { setCode } from './dev/setCode.ts'
import { setERC20Allowance } from './dev/setERC20Allowance.ts'
import { setERC20Balance } from './dev/setERC20Balance.ts'
import { setMiningMode } from './dev/setMiningMode.ts'
import { setNonce } from './dev/setNonce.ts'
import { setShadow } from './dev/setShadow.ts'
import { setStorageAt } from './dev/setStorageAt.ts'
import { setStorageVariable } from './dev/setStorageVariable.ts'
import { setTransactionNote } from './dev/setTransactionNote.ts'
import { setWebhook } from './dev/setWebhook.ts'
import { startCoverage } from './dev/startCoverage.ts'
import { stopCoverage } from './dev/stopCoverage.ts'
import { stopImpersonatingAccount } from './dev/stopImpersonatingAccount.ts'
import { unfollowAccount } from './dev/unfollowAccount.ts'
import { unfollowSlots } from './dev/unfollowSlots.ts'
import { unfollowTokenBalance } from './dev/unfollowTokenBalance.ts'
import { updateFunctionOverride } from './dev/updateFunctionOverride.ts'
import { updateTrackedData } from './dev/updateTrackedData.ts'
import {
  answerWalletRequest,
  getWalletRequest,
  getWalletRequests,
  openWalletRequest,
  setWalletApproval,
} from './dev/walletRequests.ts'
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
import { mineBlocksApart } from './hardhat/mine.ts'
import { setBlockTimestampIntervalMs } from './hardhat/setBlockTimestampInterval.ts'
import { setPrevRandao } from './hardhat/setPrevRandao.ts'
import { getWipeSchedule } from './mock/getWipeSchedule.ts'
import { setWipeSchedule } from './mock/setWipeSchedule.ts'
import { wipeLocalState } from './mock/wipeLocalState.ts'
import { addBalanceToAll } from './tenderly/addBalance.ts'
import { addErc20BalanceOfAll } from './tenderly/addErc20Balance.ts'
import { setBalanceOfAll } from './tenderly/setBalance.ts'
import { setErc20BalanceOfAll } from './tenderly/setErc20Balance.ts'

/** The methods that change or describe the test network. */
export const testingMethods: readonly Method[] = [
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
  getBlobByHash,
  getBlobsByTransactionHash,
  getGenesisTime,
  getIntervalMining,
  loadState,
  metadata,
  mineBlocks,
  mineBlocksApart,
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
  setChainId,
  setRpcUrl,
  impersonateSignature,
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
  getTransactions,
  getTransactionNotes,
  setTransactionNote,
  getWorkspaceTransactions,
  getWorkspaceCalls,
  getWorkspaceEvents,
  getWorkspaceTransfers,
  getWorkspaceAssets,
  getWorkspaceStorage,
  getWorkspaceMethods,
  getWorkspaceGas,
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
  debugOpen,
  debugStep,
  debugVariables,
  debugLines,
  debugOperations,
  debugClose,
  getConsoleLogs,
  getStackTrace,
  getGasProfile,
  startCoverage,
  stopCoverage,
  getCoverage,
  compareGas,
  compareTransactions,
  getContractAbi,
  getContractSources,
  checkFidelity,
  forecast,
  getDrift,
  getLocalState,
  getSlotHistory,
  getSnapshots,
  createBranch,
  getBranches,
  removeBranch,
  compareBranches,
  promoteBranch,
  renameBranch,
  createNetwork,
  getNetworks,
  removeNetwork,
  getAuditLog,
  getRole,
  getUpstreamUsage,
  getFollowed,
  getFunctionOverrides,
  callWithoutOverrides,
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
  openWalletRequest,
  getWalletRequest,
  getWalletRequests,
  answerWalletRequest,
  setWalletApproval,
  unfollowAccount,
  unfollowSlots,
  unfollowTokenBalance,
  updateFunctionOverride,
  updateTrackedData,
  setMiningMode,
  setShadow,
  getShadow,
  getDivergences,
  addInvariant,
  getInvariants,
  removeInvariant,
  getDivergenceCounts,
  setWebhook,
  getWebhook,
  // mock_
  wipeLocalState,
  setWipeSchedule,
  getWipeSchedule,
]
