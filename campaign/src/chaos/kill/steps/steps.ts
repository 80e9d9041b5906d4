import type { Step } from '../worker.ts'
import { importContracts, workspace } from './contracts.ts'
import { followAccount, followSlot } from './follows.ts'
import { override } from './overrides.ts'
import { keepSnapshot } from './rewind.ts'
import { payTracked, track } from './tracking.ts'
import { create, pay, queue, sendImpersonated, transferTokens } from './transactions.ts'
import { addBalance, setBalance, setCode, setNonce, setStorage, setTokenBalance } from './writes.ts'

/** The steps of the load; repeated ones are more frequent. */
export const steps: readonly Step[] = [
  pay,
  pay,
  transferTokens,
  create,
  queue,
  sendImpersonated,
  sendImpersonated,
  setBalance,
  addBalance,
  setNonce,
  setCode,
  setStorage,
  setTokenBalance,
  followSlot,
  followSlot,
  followAccount,
  override,
  override,
  track,
  payTracked,
  payTracked,
  importContracts,
  workspace,
  keepSnapshot,
]
