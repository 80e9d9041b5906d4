import { expect, it } from 'vitest'
import { chainParameter } from './chainParameter.ts'

it('describes the network to a wallet', () => {
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = { name: 'Ethereum', stack: 'ethereum', currency, blockTimeMs: 12_000, explorer: null } as never
  expect(chainParameter({ chainId: 73_571, chain }, 'http://127.0.0.1:8545')).toEqual({
    chainId: '0x11f63',
    chainName: 'Ethereum (Understudy)',
    nativeCurrency: currency,
    rpcUrls: ['http://127.0.0.1:8545'],
  })
})
