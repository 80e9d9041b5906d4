import type { Address, Hex, Word } from '@understudy/evm'
import {
  type MeasuredAccount,
  type MeasuredAuthorization,
  type MeasuredTransaction,
  plainAccount,
  spender,
} from './shown.ts'

/** Signed for every chain, by keys that are used for nothing else. */
const signed = (authority: Address, nonce: bigint, yParity: 0 | 1, r: Word, s: Word): MeasuredAuthorization => ({
  ...{ chainId: 0n, address: plainAccount, nonce, yParity, r, s, authority },
})

const delegated = signed(
  '0xe298afcb767c93038662a259bb93a63aaf1de4f1',
  1n,
  0,
  '0xe9f67f18f9f08f541cc727f718870b471877c41d5f016986c1fe3e914ad9cdf4',
  '0x448b3f9c47b3b3f4a7ce4a966828a73ae43b8d35b54173eb2973771fd3150f4a',
)
const delegatedToo = signed(
  '0xd3b7aa2b4c1ef28ad849e6710152394d6625d07d',
  1n,
  0,
  '0x7ca19931d0881f9358e7d8c563700e518cced35cfc576d12a9d4b6101f2bb29f',
  '0x44e03c2833f1d4f02358bc38b0895340fc1b64f399f4bac9d6677411d59dab43',
)
const used = signed(
  '0x8eb4e74aaea5c0813fb8cf2babbb66aa228c2817',
  1n,
  0,
  '0x7a34aaa37f29825fb149be65d0e6143ca39dc45344bf4e5d7043b484028c1c4e',
  '0x1b420ae3cdd94015000cdc3bbfdfc4d0a680db61021864204fd3b4a2cd6c16b4',
)
const unused = signed(
  '0x9bf62b3893e54a80612cf70224a131150e14b185',
  0n,
  1,
  '0x54fe71569e18b0cef796c6ee42858920de9f3c356e837304aa98f5d422bc6a2b',
  '0x17c24d2d1fe7c1e5e4448da9e6d4a1ff90f75d81637ba83c900133ebe410a643',
)
/** Of a chain that is none: it is paid for, and has no effect. */
const invalid: MeasuredAuthorization = { ...unused, chainId: 2n ** 63n }

const delegation: Hex = `0xef0100${plainAccount.slice(2)}`
export const authorities: ReadonlyMap<Address, MeasuredAccount> = new Map<Address, MeasuredAccount>([
  [delegated.authority, { nonce: 1n, code: delegation }],
  [delegatedToo.authority, { nonce: 1n, code: delegation }],
  [used.authority, { nonce: 1n }],
])

/** Transactions with an authorization, and first one without: a node that takes no authorizations shows the same for it. */
export const measuredAuthorizations: readonly MeasuredTransaction[] = [
  { shows: { check: 'a transaction that spends gas' }, to: spender },
  { shows: { price: 'authorization', count: 1 }, to: spender, authorizationList: [invalid] },
  {
    shows: { price: 'refundAuthorization', count: -1, hasStateGas: false },
    to: spender,
    authorizationList: [delegated],
  },
  { shows: { price: 'accountWrite', count: 1, hasStateGas: true }, to: spender, authorizationList: [delegatedToo] },
  { shows: { price: 'delegationState', count: 1, hasStateGas: true }, to: spender, authorizationList: [used] },
  { shows: { price: 'accountState', count: 1, hasStateGas: true }, to: spender, authorizationList: [unused] },
]
