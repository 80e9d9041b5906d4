import type { Tool } from '../defineTool.ts'
import { createBranch, removeBranch } from './branches.ts'
import { compareBranches } from './compareBranches.ts'
import { compareTransactions } from './compareTransactions.ts'
import { describeNetwork } from './describeNetwork.ts'
import { findTransactions } from './findTransactions.ts'
import { follow } from './follow.ts'
import { gasProfile } from './gasProfile.ts'
import { lookUpContract } from './lookUpContract.ts'
import { mine } from './mine.ts'
import { overrideFunction, removeOverride } from './overrides.ts'
import { readContract } from './readContract.ts'
import { readStorage } from './readStorage.ts'
import { sendTransaction } from './sendTransaction.ts'
import { setBalance } from './setBalance.ts'
import { simulate } from './simulate.ts'
import { revert, snapshot } from './snapshots.ts'
import { track } from './track.ts'
import { trackedValues } from './trackedValues.ts'
import { explainTransaction, stackTrace } from './transactions.ts'

/** In the order in which agents see them. */
export const tools: readonly Tool[] = [
  describeNetwork,
  lookUpContract,
  readContract,
  sendTransaction,
  simulate,
  explainTransaction,
  findTransactions,
  stackTrace,
  gasProfile,
  compareTransactions,
  readStorage,
  setBalance,
  overrideFunction,
  removeOverride,
  follow,
  track,
  trackedValues,
  createBranch,
  compareBranches,
  removeBranch,
  snapshot,
  revert,
  mine,
]
