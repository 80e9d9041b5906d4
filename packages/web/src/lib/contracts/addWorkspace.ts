import { type Params, type Result, rpc } from '../rpc/rpc.ts'
import { useAction } from '../rpc/useAction.ts'

type Added = Result<'dev_addWorkspace'>

/** Makes a workspace of a wallet, a contract or an ABI. */
export function useAddWorkspace(done = 'The workspace is there') {
  return useAction(
    (input: Params<'dev_addWorkspace'>[0]) => rpc('dev_addWorkspace', input),
    () => done,
  )
}

export function workspaceIdOf(added: Added): string {
  if (added.kind === 'wallet') return added.wallet.id
  return added.kind === 'manual' ? added.projectContract.id : added.mainnetProjectContract.id
}
