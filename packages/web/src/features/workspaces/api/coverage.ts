import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type Coverage = Result<'dev_getCoverage'>

/** What transactions and calls have reached of the imported contract at an address. */
export function useCoverage(address: Address) {
  return useQuery({
    queryKey: ['head', 'coverage', address.toLowerCase()],
    queryFn: () => rpc('dev_getCoverage', address),
  })
}

/** Starts coverage of the whole network, or stops it. */
export function useCoverageSwitch() {
  return useAction(
    async (isRunning: boolean) => rpc(isRunning ? 'dev_startCoverage' : 'dev_stopCoverage'),
    ({ isRunning }) => (isRunning ? 'Coverage counts from now on' : 'Coverage stopped'),
  )
}

/** Whether each line of a file was reached; lines without code are omitted. */
export function linesOf(coverage: Coverage | undefined, path: string): ReadonlyMap<number, boolean> | undefined {
  const file = coverage?.files.find((each) => each.path === path)
  if (!file) return undefined
  return new Map([
    ...file.reachedLines.map((line) => [line, true] as const),
    ...file.missedLines.map((line) => [line, false] as const),
  ])
}
