import { type AccessListItem, accessListTracer, type TracedRun } from '@understudy/evm'
import type { CallRequest } from '../execution/execution.ts'
import { NetworkError } from '../shared/errors.ts'

export type AccessListResult = {
  accessList: AccessListItem[]
  /** The result of the run with the list. */
  gasUsed: bigint
  /** The error of that run; `undefined` if it succeeded. */
  error: string | undefined
}

/** A list changes the cost of calls, and therefore what they do. In practice, a few runs suffice. */
const runLimit = 10

/** Finds the access list of a call: the keys that the call accesses when it has this list, and those that were given. */
export async function createAccessList(
  run: (request: CallRequest) => Promise<TracedRun>,
  request: CallRequest,
): Promise<AccessListResult> {
  let accessList: AccessListItem[] = (request.accessList ?? []).map((item) => ({ ...item }))
  for (let i = 0; i < runLimit; i++) {
    const given = accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
    const found = await run({ ...request, accessList: given })
    accessList = await accessListTracer(found, request.accessList)
    if (sizeOf(accessList) > sizeOf(given) || i === 0) continue
    const { gasUsed, status, halt } = found.result
    const error = status === 'revert' ? 'execution reverted' : halt
    return { accessList, gasUsed, error }
  }
  throw new NetworkError('EXECUTION_FAILED', { text: `the access list did not settle after ${runLimit} runs` })
}

const sizeOf = (list: readonly AccessListItem[]) =>
  list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)
