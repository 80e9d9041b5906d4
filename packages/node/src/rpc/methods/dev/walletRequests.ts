import { z } from 'zod'
import type { WalletRequest } from '../../../wallet/requests.ts'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexAddress, Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const Request = z.object({
  id: z.string(),
  origin: z.string(),
  method: z.string(),
  params: z.unknown(),
  createdAt: Timestamp,
  status: z.enum(['pending', 'approved', 'rejected']),
  account: HexAddress.nullable(),
})

const encode = ({ createdAt, account, params = null, ...request }: WalletRequest) => ({
  ...request,
  params,
  createdAt: new Date(createdAt).toISOString(),
  account: account ?? null,
})

const exampleRequest = {
  id: 'w8k2m5n7b4c6d9f3g1h0j2l4',
  origin: 'http://localhost:5173',
  method: 'eth_requestAccounts',
  params: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  status: 'pending',
  account: null,
}
const approvedRequest = {
  ...exampleRequest,
  status: 'approved',
  account: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
}

export const openWalletRequest = defineMethod({
  name: 'dev_openWalletRequest',
  summary:
    "Asks the dashboard's user to approve what a page wants of the wallet; `/wallet.js` calls it. Nothing is sent yet.",
  role: 'write',
  params: { origin: z.string().max(300), method: z.string().max(100), params: optional(z.unknown()) },
  result: Request,
  fields: {
    origin: 'Origin of the page.',
    method: 'Method that the page called.',
    params: 'Parameters of that method.',
  },
  errors: ['LIMIT_EXCEEDED'],
  example: { params: ['http://localhost:5173', 'eth_requestAccounts', []], result: exampleRequest },
  handler: async ({ walletRequests }, { origin, method, params }) =>
    encode(await walletRequests.open({ origin, method, params })),
})

export const getWalletRequest = defineMethod({
  name: 'dev_getWalletRequest',
  summary: 'Returns a request of a page, and whether it was approved.',
  role: 'read',
  readsPool: 'always',
  params: { id: z.string() },
  result: Request,
  fields: {
    id: 'Id of the request.',
  },
  errors: ['WALLET_REQUEST_NOT_FOUND'],
  example: { params: ['w8k2m5n7b4c6d9f3g1h0j2l4'], result: approvedRequest },
  handler: ({ walletRequests }, { id }) => encode(walletRequests.get(id)),
})

export const getWalletRequests = defineMethod({
  name: 'dev_getWalletRequests',
  summary: 'Returns the requests of pages that wait for an answer, and whether all are approved.',
  role: 'read',
  readsPool: 'always',
  params: {},
  result: z.object({ approvesAll: z.boolean(), requests: z.array(Request) }),
  example: { params: [], result: { approvesAll: false, requests: [exampleRequest] } },
  handler: async ({ walletRequests }) => ({
    approvesAll: await walletRequests.approvesAll(),
    requests: walletRequests.pending().map(encode),
  }),
})

export const answerWalletRequest = defineMethod({
  name: 'dev_answerWalletRequest',
  summary:
    'Approves or rejects a request of a page. A page that asks for an account is connected to the given one, which is impersonated unless it is funded.',
  role: 'admin',
  params: { id: z.string(), isApproved: z.boolean(), account: optional(Address) },
  result: Request,
  fields: {
    id: 'Id of the request.',
    isApproved: 'Whether the request is approved.',
    account: 'The account to which the page is connected.',
  },
  errors: ['WALLET_REQUEST_NOT_FOUND'],
  example: {
    params: ['w8k2m5n7b4c6d9f3g1h0j2l4', true, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    result: approvedRequest,
  },
  handler: async ({ walletRequests }, { id, isApproved, account }) =>
    encode(await walletRequests.answer(id, isApproved, account)),
})

export const setWalletApproval = defineMethod({
  name: 'dev_setWalletApproval',
  summary: 'Turns on or off that all requests of pages are approved at once. It is kept with the network.',
  role: 'admin',
  params: { approvesAll: z.boolean() },
  result: z.object({ approvesAll: z.boolean() }),
  fields: {
    approvesAll: 'Whether every request is approved at once.',
  },
  example: { params: [true], result: { approvesAll: true } },
  async handler({ walletRequests }, { approvesAll }) {
    await walletRequests.setApprovesAll(approvesAll)
    return { approvesAll }
  },
})
