import { z } from 'zod'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getFollowed = defineMethod({
  name: 'dev_getFollowed',
  summary: 'Lists followed accounts, and followed slots by account.',
  role: 'read',
  params: {},
  result: z.object({ accounts: z.array(HexAddress), slots: z.record(z.string(), z.array(HexWord)) }),
  example: {
    params: [],
    result: {
      accounts: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
      slots: {
        '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': [
          '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
        ],
      },
    },
  },
  handler({ state }) {
    const { accounts, slots } = state.follows()
    const sorted = [...slots].sort(([a], [b]) => (a < b ? -1 : 1)).map(([address, keys]) => [address, [...keys].sort()])
    return { accounts: [...accounts].sort(), slots: Object.fromEntries(sorted) }
  },
})
