import { expect, it } from 'vitest'
import { headlineOf } from './headline.ts'

const [me, pool, gold, dollar] = ['0xAA', '0xbb', '0x01', '0x02']
const erc20 = (token: string, from: string, to: string, amount: string) => ({ kind: 'erc20', token, from, to, amount })

it('says what went out and what came in', () => {
  const transfers = [erc20(gold, '0xaa', pool, '15'), erc20(dollar, pool, me, '3044'), erc20(dollar, pool, '0xcc', '9')]
  expect(headlineOf({ from: me, to: pool, method: 'swap' }, transfers)).toEqual({
    verb: 'Swap',
    out: { token: gold, amount: 15n },
    in: { token: dollar, amount: 3044n },
  })
})

it('names functions in words, transfers of ether, creations and what is unknown', () => {
  const verb = (method: string | undefined, to: string | null = pool) => headlineOf({ from: me, to, method }, []).verb
  expect([verb('swapExactTokensForETH'), verb('safe_mint'), verb(undefined), verb('0x12345678'), verb(undefined, null)])
    // biome-ignore format: one row
    .toEqual(['Swap exact tokens for eth', 'Safe mint', 'Call', 'Call 0x12345678', 'Create contract'])
  const ether = [{ kind: 'native', token: null, from: me, to: pool, amount: '5' }]
  expect(headlineOf({ from: me, to: pool, method: undefined }, ether)).toEqual({
    verb: 'Transfer',
    out: { token: null, amount: 5n },
    in: undefined,
  })
})
