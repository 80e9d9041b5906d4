import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { showToast } from '../../ui/toasts.ts'
import { refreshAll } from './queryClient.ts'
import { describeError } from './rpcError.ts'

/** Something that a person does to the network: says how it went, and reads anew what it may have changed. */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  /** What is said when it is done; nothing when left out. */
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
