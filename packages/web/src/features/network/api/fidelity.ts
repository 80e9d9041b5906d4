import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type FidelityReport = Result<'dev_checkFidelity'>

export function useCheckFidelity() {
  return useAction(() => rpc('dev_checkFidelity'))
}
