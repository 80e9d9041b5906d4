import { type AccessListItem, accessListTracer, type TracedRun } from '@understudy/evm'
import type { CallRequest } from '../execution/execution.ts'
import { NetworkError } from '../shared/errors.ts'

export type AccessListResult = {
  accessList: AccessListItem[]
  /** Of a run that has the list. */
  gasUsed: bigint
  /** Why that run failed; `undefined` when it did not. */
  error: string | undefined
}

/** Lists change what calls cost, and so what a call may do; they have always settled after a few runs. */
const runLimit = 10

/** Finds the access list of a call: that which the call touches when it has it. */
export async function createAccessList(
  run: (request: CallRequest) => Promise<TracedRun>,
  request: CallRequest,
): Promise<AccessListResult> {
  let accessList: AccessListItem[] = (request.accessList ?? []).map((item) => ({ ...item }))
  for (let i = 0; i < runLimit; i++) {
    const given = accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
    const found = await run({ ...request, accessList: given })
    accessList = await accessListTracer(found)
    if (sizeOf(accessList) > sizeOf(given) || i === 0) continue
    const { gasUsed, status, halt } = found.result
    const error = status === 'revert' ? 'execution reverted' : halt
    return { accessList, gasUsed, error }
  }
  throw new NetworkError('EXECUTION_FAILED', { text: `the access list is another after each of ${runLimit} runs` })
}

const sizeOf = (list: readonly AccessListItem[]) =>
  list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)
