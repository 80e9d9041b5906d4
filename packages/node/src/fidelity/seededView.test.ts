import { expect, it } from 'vitest'
import { BaseView } from '../state/baseView.ts'
import { type BaseState, createBaseState } from '../upstream/cache/baseState.ts'
import { SeededView } from './seededView.ts'

const address = `0x${'a1'.repeat(20)}` as const
const slot = `0x${'00'.repeat(31)}07` as const
const wanted = { accounts: [address], codes: [], slots: [], blockHashes: [] }

/** A state whose cache drops everything at once when `forget` is called. */
function forgetfulState() {
  const open = () =>
    createBaseState({ number: 1n, hash: `0x${'01'.repeat(32)}` }, async () => ({
      accounts: new Map([[address, { balance: 100n, nonce: 1n, code: new Uint8Array([0]) }]]),
      slots: new Map([[address, new Map([[slot, 5n]])]]),
      blockHashes: new Map(),
    }))
  let state = open()
  const forgetful: BaseState = {
    account: (of) => state.account(of),
    code: (of) => state.code(of),
    storage: (of, at) => state.storage(of, at),
    blockHash: (number) => state.blockHash(number),
    load: (keys) => state.load(keys),
  }
  return {
    state: forgetful,
    forget: () => {
      state = open()
    },
  }
}

/** What a transaction found after an earlier one of the block had changed it. */
const later = { [address]: { balance: '0x32', nonce: 2, code: '0x00', storage: { [slot]: '0x09' } } } as const
const first = { [address]: { balance: '0x64', nonce: 1, code: '0x00', storage: { [slot]: '0x05' } } } as const

it('keeps the state before the block where the state below knew it, and forgets it', async () => {
  const { state, forget } = forgetfulState()
  const view = new SeededView(new BaseView(state))
  await view.load({ ...wanted, slots: [[address, slot]] })
  view.seed(first)
  forget()
  view.seed(later)
  expect(view.account(address)).toMatchObject({ balance: 100n, nonce: 1n })
  expect(view.storage(address, slot)).toBe(5n)
})

it('takes what the first transaction found where nothing is known', () => {
  const view = new SeededView(new BaseView(forgetfulState().state))
  view.seed(first)
  view.seed(later)
  expect(view.account(address)).toMatchObject({ balance: 100n, nonce: 1n })
  expect(view.storage(address, slot)).toBe(5n)
})
