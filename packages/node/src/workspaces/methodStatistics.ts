import type { Address, Hex } from '@understudy/evm'
import type { ContractDescription } from '../contracts/contractDirectory.ts'
import { parseFunctionAbi } from '../ethereum/abi/functionAbi.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import type { FunctionOverrides } from '../overrides/functionOverrides.ts'
import type { Queries } from '../storage/database.ts'
import { loadMethodStatistics, type MethodStatistics } from '../storage/records/activity/activityReads.ts'

/** A function of a contract, with its usage on this network. */
export type WorkspaceMethod = Omit<MethodStatistics, 'gasP50' | 'gasP95' | 'gasMax' | 'lastBlock'> & {
  /** `undefined` if it is in no ABI. */
  name: string | undefined
  signature: string | undefined
  stateMutability: string | undefined
  /** `undefined` if it was never called. Gas. */
  gas: { p50: bigint; p95: bigint; max: bigint } | undefined
  lastBlock: bigint | undefined
  /** Whether it has an override. */
  isOverridden: boolean
}

/** Maximum number of calls for the statistics: the newest. */
export const measuredCalls = 10_000

/** The functions of a contract, by number of calls; functions without calls last. */
export async function loadWorkspaceMethods(
  address: Address,
  { known, selectors }: Pick<ContractDescription, 'known' | 'selectors'>,
  { queries, overrides }: { queries: Queries; overrides: Pick<FunctionOverrides, 'list'> },
): Promise<WorkspaceMethod[]> {
  const overridden = new Set(
    overrides
      .list(address)
      .filter(({ enabled }) => enabled)
      .map(({ functionAbi }) => parseFunctionAbi(functionAbi).selector),
  )
  const describe = (selector: Hex | undefined) => {
    const item = selector === undefined ? undefined : known?.abi.functions.get(selector)
    return {
      selector,
      name: item?.name,
      signature: item && signatureOf(item),
      stateMutability: item?.stateMutability,
      isOverridden: selector !== undefined && overridden.has(selector),
    }
  }
  const called = (await loadMethodStatistics(queries, address, measuredCalls)).map(
    ({ gasP50, gasP95, gasMax, ...used }): WorkspaceMethod => ({
      ...used,
      ...describe(used.selector),
      gas: { p50: gasP50, p95: gasP95, max: gasMax },
    }),
  )
  const seen = new Set(called.map(({ selector }) => selector))
  const others = [...(known?.abi.functions.keys() ?? selectors?.functions ?? [])].filter(
    (selector) => !seen.has(selector),
  )
  const unused = others.map(
    (selector): WorkspaceMethod => ({
      ...describe(selector),
      calls: 0,
      reverts: 0,
      gas: undefined,
      lastBlock: undefined,
    }),
  )
  return [...called, ...unused]
}
