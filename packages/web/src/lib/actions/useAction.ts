import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { describeError } from '../../errors/rpcError.ts'
import { refreshAll } from '../rpc/queryClient.ts'
import { showToast } from './toasts.ts'

/** An action on the network. It shows a toast with the outcome and refetches what can have changed. */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  /** The text of the toast on success; no toast when left out. */
  done?: (result: Result, input: Input) => string,
): UseMutationResult<Result, Error, Input> {
  return useMutation({
    mutationFn: act,
    async onSuccess(result, input) {
      if (done) showToast({ tone: 'good', title: done(result, input) })
      await refreshAll()
    },
    onError(error) {
      showToast({ tone: 'bad', ...describeError(error) })
    },
  })
}
