import { type Address, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { accountsIn, holdingsIn, largestFirst } from './transferParties.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as Address) as [Address, Address, Address]
const moved = (kind: 'erc20' | 'erc721' | 'erc1155', from: Address, to: Address, tokenId: string | null = null) => ({
  kind,
  from,
  to,
  tokenId,
})

it('names each account once, however it is written, and not the zero address', () => {
  const upper = `0x${'A'.repeat(40)}` as Address
  expect(accountsIn([moved('erc20', zeroAddress, upper), moved('erc20', a, b)], [c])).toEqual([c, a, b])
})

it('names each id of an ERC-721 once, and no id of an ERC-20', () => {
  const transfers = [moved('erc721', a, b, '7'), moved('erc721', zeroAddress, a, '7'), moved('erc20', a, b)]
  expect(holdingsIn(transfers)).toEqual([{ tokenId: 7n, account: undefined }])
})

it('names the ids of an ERC-1155 with both accounts', () => {
  expect(holdingsIn([moved('erc1155', a, b, '1'), moved('erc1155', zeroAddress, b, '1')])).toEqual([
    { tokenId: 1n, account: a },
    { tokenId: 1n, account: b },
  ])
})

it('sorts amounts beyond 2^53 exactly', () => {
  const amounts = [2n ** 200n, 2n ** 200n + 1n, 0n]
  expect(largestFirst(amounts.map((amount) => ({ amount }))).map(({ amount }) => amount)).toEqual([
    2n ** 200n + 1n,
    2n ** 200n,
    0n,
  ])
})
