import type { Address } from '@understudy/evm'
import type { Senders } from '../senders/senders.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Database } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'

/** What a page asks the person who uses the dashboard. */
export type WalletRequest = {
  id: string
  /** As the page says. */
  origin: string
  method: string
  params: unknown
  /** Milliseconds since 1970. */
  createdAt: number
  status: 'pending' | 'approved' | 'rejected'
  /** The account that a page was connected to. */
  account: Address | undefined
}

/** Requests of pages that loaded `/wallet.js`. They are in memory; whether all are approved is stored. */
export type WalletRequests = {
  open(request: Pick<WalletRequest, 'origin' | 'method' | 'params'>): Promise<WalletRequest>
  /** Throws `WALLET_REQUEST_NOT_FOUND`. */
  get(id: string): WalletRequest
  /** Those that wait, the oldest first. */
  pending(): WalletRequest[]
  /** Answers one that waits; `account` is what a page is connected to, and may send from then on. */
  answer(id: string, isApproved: boolean, account: Address | undefined): Promise<WalletRequest>
  approvesAll(): Promise<boolean>
  /** Approves the waiting requests, too. Durable when it resolves. */
  setApprovesAll(enabled: boolean): Promise<void>
}

/** A request without an answer in this time is rejected. */
const lifetimeMs = 5 * 60_000
/** Requests that wait or were answered lately. */
const requestLimit = 200
const paramsLimit = 200_000

type Needs = { database: Database; senders: Senders; clock: Clock; createId(): string }

export function createWalletRequests({ database, senders, clock, createId }: Needs): WalletRequests {
  const requests = new Map<string, WalletRequest>()
  /** The account of the last connection. */
  let lastAccount: Address | undefined
  const approvesAll = async () => (await loadSetting<boolean>(database.queries, 'walletApprovesAll')) ?? false

  function expire(): void {
    for (const request of requests.values())
      if (request.createdAt + 2 * lifetimeMs <= clock.now()) requests.delete(request.id)
      else if (request.status === 'pending' && request.createdAt + lifetimeMs <= clock.now())
        request.status = 'rejected'
    for (const { id, status } of requests.values())
      if (requests.size >= requestLimit && status !== 'pending') requests.delete(id)
  }

  function get(id: string): WalletRequest {
    expire()
    const found = requests.get(id)
    if (!found) throw new NetworkError('WALLET_REQUEST_NOT_FOUND', { id: id.slice(0, 100) })
    return found
  }

  async function approve(request: WalletRequest, given?: Address): Promise<void> {
    const account = given ?? lastAccount ?? senders.funded()[0]
    if (given && !senders.funded().includes(given) && !senders.impersonated().includes(given))
      await senders.impersonate(given)
    lastAccount = account
    request.account = account
    request.status = 'approved'
  }

  return {
    approvesAll,
    async open(given) {
      expire()
      if (requests.size >= requestLimit || JSON.stringify(given.params ?? null).length > paramsLimit)
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: 'too many requests of pages wait in the dashboard, or this one is too large',
          limit: `${requestLimit} requests of ${paramsLimit} characters`,
        })
      const fixed = { id: createId(), createdAt: clock.now(), status: 'pending', account: undefined } as const
      const request: WalletRequest = { ...given, ...fixed }
      requests.set(request.id, request)
      if (await approvesAll()) await approve(request)
      return request
    },
    get,
    pending() {
      expire()
      return [...requests.values()].filter(({ status }) => status === 'pending')
    },
    async answer(id, isApproved, account) {
      const request = get(id)
      if (request.status !== 'pending') return request
      if (isApproved) await approve(request, account)
      else request.status = 'rejected'
      return request
    },
    async setApprovesAll(enabled) {
      await database.transaction((transaction) => saveSetting(transaction, 'walletApprovesAll', enabled))
      if (enabled) for (const request of requests.values()) if (request.status === 'pending') await approve(request)
    },
  }
}
