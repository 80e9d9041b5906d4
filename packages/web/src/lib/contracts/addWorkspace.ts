import { useAction } from '../actions/useAction.ts'
import { type Params, type Result, rpc } from '../rpc/rpc.ts'

type Added = Result<'dev_addWorkspace'>

/** Creates a workspace for a wallet, a contract or an ABI. */
export function useAddWorkspace(done = 'Workspace created') {
  return useAction(
    (input: Params<'dev_addWorkspace'>[0]) => rpc('dev_addWorkspace', input),
    () => done,
  )
}

export function workspaceIdOf(added: Added): string {
  if (added.kind === 'wallet') return added.wallet.id
  return added.kind === 'manual' ? added.projectContract.id : added.mainnetProjectContract.id
}
