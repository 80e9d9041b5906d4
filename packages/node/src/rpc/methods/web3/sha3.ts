import { keccak256 } from 'viem'
import { Bytes } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const sha3 = defineMethod({
  name: 'web3_sha3',
  summary: 'Returns the keccak-256 hash of bytes.',
  role: 'read',
  params: { data: Bytes },
  result: HexWord,
  example: { params: ['0x'], result: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' },
  handler: (_, { data }) => keccak256(data),
})
