import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type WalletRequest = Result<'dev_getWalletRequests'>['requests'][number]

/** A page that asked waits for the answer. */
const pollMs = 1000

/** What pages ask, and whether everything is approved. */
export function useWalletRequests() {
  return useQuery({
    queryKey: ['network', 'walletRequests'],
    queryFn: () => rpc('dev_getWalletRequests'),
    refetchInterval: pollMs,
  })
}

export function useAnswer() {
  return useAction(
    ({ id, isApproved, account }: { id: string; isApproved: boolean; account?: Address | undefined }) =>
      rpc('dev_answerWalletRequest', id, isApproved, account ?? null),
    ({ status }) => (status === 'approved' ? 'Approved' : 'Rejected'),
  )
}

export function useSetApproval() {
  return useAction(
    (approvesAll: boolean) => rpc('dev_setWalletApproval', approvesAll),
    ({ approvesAll }) => (approvesAll ? 'Requests are approved at once' : 'You are asked each time'),
  )
}
