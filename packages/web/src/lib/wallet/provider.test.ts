import { expect, it } from 'vitest'
import { askWallet, walletCodeOf } from './provider.ts'

const refusalOf = (error: unknown) => {
  const wallet = { name: 'Fox', provider: { request: () => Promise.reject(error) } }
  return askWallet(wallet, 'wallet_addEthereumChain').then(
    () => undefined,
    (thrown: Error) => thrown,
  )
}

it.each([
  [{ code: 4001 }, /^The request was rejected in Fox/],
  [{ code: 4200 }, /^Fox does not support wallet_addEthereumChain/],
  [{ code: -32601 }, /^Fox does not support wallet_addEthereumChain/],
  [{ code: -32002 }, /already open in Fox/],
  [{ code: -32000, message: 'insufficient funds' }, /^Fox: insufficient funds$/],
  [{ message: 'x'.repeat(5000) }, /^Fox: x{300}$/],
  ['a text', /^Fox: the request failed$/],
  [undefined, /^Fox: the request failed$/],
])('says what a wallet answered: %j', async (error, text) => {
  expect((await refusalOf(error))?.message).toMatch(text)
})

it('finds the code, also of an error that a wallet wrapped', async () => {
  expect(walletCodeOf(await refusalOf({ code: 4902 }))).toBe(4902)
  expect(walletCodeOf(await refusalOf({ code: -32603, data: { originalError: { code: 4902 } } }))).toBe(4902)
  expect(walletCodeOf(new Error('of the page'))).toBe(undefined)
})
