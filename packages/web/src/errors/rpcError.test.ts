import { expect, it } from 'vitest'
import { describeError, RpcError } from './rpcError.ts'

const titleOf = (message: string) => describeError(new RpcError({ code: -32602, message })).title

it('names the field of a form, and not its position in the request', () => {
  expect(titleOf('invalid params: params[0].name: is empty; name the workspace')).toBe(
    'Name: is empty; name the workspace',
  )
  expect(titleOf('invalid params: params[0]: expected an address')).toBe('Expected an address')
  expect(titleOf('invalid params: abi: is not JSON')).toBe('Abi: is not JSON')
})

it('separates what happened from what to do', () => {
  expect(describeError(new Error('the slot is followed. Unfollow it first'))).toEqual({
    title: 'The slot is followed',
    advice: 'Unfollow it first',
  })
})
