import { createFakeClock, testMnemonic } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultDerivationPath } from '../ethereum/accounts/derivationPath.ts'
import { createSenders } from '../senders/senders.ts'
import { createId } from '../storage/createId.ts'
import { type EphemeralStore, openEphemeral } from '../storage/sqlite/openEphemeral.ts'
import { createWalletRequests } from './requests.ts'

const request = { origin: 'https://app.example', method: 'eth_requestAccounts', params: [] }
const minute = 60_000

let store: EphemeralStore
beforeEach(async () => {
  store = await openEphemeral()
})
afterEach(() => store.close())

async function open() {
  const { database } = store
  const options = { mnemonic: testMnemonic, accounts: 2, derivationPath: defaultDerivationPath }
  const senders = await createSenders(options, { database, noticeSignature() {} })
  const clock = createFakeClock(0)
  return { requests: createWalletRequests({ database, senders, clock, createId }), senders, clock }
}

describe('requests of pages to the wallet', () => {
  it('wait until somebody answers, and are answered once', async () => {
    const { requests, senders } = await open()
    const { id } = await requests.open(request)
    expect(requests.pending()).toMatchObject([{ id, status: 'pending', account: undefined }])
    await requests.answer(id, true, undefined)
    expect(await requests.answer(id, false, undefined)).toMatchObject({
      status: 'approved',
      account: senders.funded()[0],
    })
    expect(requests.pending()).toEqual([])
  })

  it('connect an account that is not funded, which may send from then on', async () => {
    const { requests, senders } = await open()
    const account = `0x${'aa'.repeat(20)}` as const
    await requests.answer((await requests.open(request)).id, true, account)
    expect(senders.impersonated()).toEqual([account])
    await requests.setApprovesAll(true)
    expect(await requests.open(request)).toMatchObject({ status: 'approved', account })
  })

  it('are rejected after five minutes, and forgotten after ten', async () => {
    const { requests, clock } = await open()
    const { id } = await requests.open(request)
    clock.advance(5 * minute - 1)
    expect(requests.get(id).status).toBe('pending')
    clock.advance(1)
    expect(requests.get(id).status).toBe('rejected')
    clock.advance(5 * minute)
    expect(() => requests.get(id)).toThrowError(expect.objectContaining({ kind: 'WALLET_REQUEST_NOT_FOUND' }))
  })

  it('are at most two hundred that wait; answered ones make room', async () => {
    const { requests } = await open()
    const opened = await Promise.all(Array.from({ length: 200 }, () => requests.open(request)))
    await expect(requests.open(request)).rejects.toMatchObject({ kind: 'LIMIT_EXCEEDED' })
    await requests.answer(opened[0]?.id ?? '', false, undefined)
    expect(await requests.open(request)).toMatchObject({ status: 'pending' })
    await expect(requests.open({ ...request, params: ['x'.repeat(200_000)] })).rejects.toMatchObject({
      kind: 'LIMIT_EXCEEDED',
    })
  })

  it('are all approved once somebody said so, those that wait too, also after a restart', async () => {
    const { requests } = await open()
    const { id } = await requests.open(request)
    await requests.setApprovesAll(true)
    expect(requests.get(id).status).toBe('approved')
    const { requests: later } = await open()
    expect(await later.open(request)).toMatchObject({ status: 'approved' })
  })
})
