import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { describeError } from '../../errors/rpcError.ts'
import { isShown } from '../../errors/shownErrors.ts'
import { refreshAll } from '../rpc/queryClient.ts'
import { showToast } from './toasts.ts'

/** The time in which a form draws the error of its action. */
const formDrawsMs = 100

/** An action on the network. It shows a toast with the outcome, unless a form shows the error, and refetches what can have changed. */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  /** The text of the toast on success; no toast when left out. */
  done?: (result: Result, input: Input) => string,
  /** Takes the action back; the toast offers it. */
  undo?: (input: Input) => Promise<unknown>,
): UseMutationResult<Result, Error, Input> {
  return useMutation({
    mutationFn: act,
    async onSuccess(result, input) {
      if (done)
        showToast({ tone: 'good', title: done(result, input), undo: undo && (() => void takeBack(undo, input)) })
      await refreshAll()
    },
    onError(error) {
      setTimeout(() => {
        if (!isShown(error)) showToast({ tone: 'bad', ...describeError(error) })
      }, formDrawsMs)
    },
  })
}

async function takeBack<Input>(undo: (input: Input) => Promise<unknown>, input: Input): Promise<void> {
  try {
    await undo(input)
    await refreshAll()
  } catch (error) {
    showToast({ tone: 'bad', ...describeError(error) })
  }
}
