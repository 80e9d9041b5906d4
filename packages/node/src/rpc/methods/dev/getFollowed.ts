import { z } from 'zod'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** `tokenBalances` is absent if there are none; `address` is the contract that stores the slot. */
export const getFollowed = defineMethod({
  name: 'dev_getFollowed',
  summary:
    'Lists followed accounts, followed slots by account, and the token balances for which some of the slots are followed.',
  role: 'read',
  params: {},
  result: z.object({
    accounts: z.array(HexAddress),
    slots: z.record(z.string(), z.array(HexWord)),
    tokenBalances: z
      .array(z.object({ token: HexAddress, holder: HexAddress, address: HexAddress, slot: HexWord }))
      .optional(),
  }),
  example: {
    params: [],
    result: {
      accounts: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
      slots: {
        '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': [
          '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
        ],
      },
      tokenBalances: [
        {
          token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
          holder: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
          address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
          slot: '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
        },
      ],
    },
  },
  async handler({ state }) {
    const tokenBalances = await state.loadFollowedBalances()
    const { accounts, slots } = state.follows()
    const sorted = [...slots].sort(([a], [b]) => (a < b ? -1 : 1)).map(([address, keys]) => [address, [...keys].sort()])
    const followed = { accounts: [...accounts].sort(), slots: Object.fromEntries(sorted) }
    return tokenBalances.length === 0 ? followed : { ...followed, tokenBalances }
  },
})
