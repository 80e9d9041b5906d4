import type { Tool } from '../defineTool.ts'
import { compareBranches } from './compareBranches.ts'
import { compareTransactions } from './compareTransactions.ts'
import { createBranch } from './createBranch.ts'
import { describeNetwork } from './describeNetwork.ts'
import { explainTransaction } from './explainTransaction.ts'
import { findTransactions } from './findTransactions.ts'
import { follow } from './follow.ts'
import { gasProfile } from './gasProfile.ts'
import { lookUpContract } from './lookUpContract.ts'
import { mine } from './mine.ts'
import { overrideFunction } from './overrideFunction.ts'
import { readContract } from './readContract.ts'
import { readStorage } from './readStorage.ts'
import { removeBranch } from './removeBranch.ts'
import { removeOverride } from './removeOverride.ts'
import { revert } from './revert.ts'
import { sendTransaction } from './sendTransaction.ts'
import { setBalance } from './setBalance.ts'
import { simulate } from './simulate.ts'
import { snapshot } from './snapshot.ts'
import { stackTrace } from './stackTrace.ts'
import { track } from './track.ts'
import { trackedValues } from './trackedValues.ts'

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
