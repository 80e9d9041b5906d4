import { AsyncResource } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { BranchUse, currentRequest } from './branchUse.ts'

it('lets go of a request that was answered, in whatever outlives it', async () => {
  const use = new BranchUse(() => {})
  const outliving: AsyncResource[] = []
  const answer = (run: () => unknown) =>
    use.answer({ run, fail: () => 'failed', signal: () => undefined } as Parameters<typeof use.answer>[0])
  const begin = () => {
    outliving.push(new AsyncResource('Connection'))
    return currentRequest() !== undefined
  }
  expect(answer(begin)).toBe(true)
  expect(await answer(async () => begin())).toBe(true)
  await expect(answer(() => Promise.reject(begin()))).rejects.toBe(true)
  expect(outliving.map((connection) => connection.runInAsyncScope(currentRequest))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
