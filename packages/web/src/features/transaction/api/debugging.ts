import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { consoleAddress } from '../../../lib/chain/trace.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type StackEntry = Result<'dev_getStackTrace'>[number]

/** Where a transaction failed, innermost first. */
export function useStackTrace(hash: Hex) {
  return useQuery({ queryKey: ['fixed', 'stackTrace', hash], queryFn: () => rpc('dev_getStackTrace', hash) })
}

/** What a transaction logged with console.log. It is asked for only if its calls show that there is something. */
export function useConsoleLogs(hash: Hex) {
  const { data } = useDecoded(hash)
  const logs = data?.calls?.some(({ to }) => to === consoleAddress) ?? false
  return useQuery({
    queryKey: ['fixed', 'consoleLogs', hash],
    enabled: logs,
    queryFn: () => rpc('dev_getConsoleLogs', hash),
  })
}
