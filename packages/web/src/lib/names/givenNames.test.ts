import { expect, it } from 'vitest'
import { deployedAt, givenNames } from './givenNames.ts'

const [alice, pool, pair, otherPair] = ['0xAA', '0xb0', '0xC1', '0xc2']
const workspaces = [
  { id: 'wlt_1', name: 'Savings', address: '0xd0' },
  { id: 'pc_pair', name: 'Pair', address: otherPair },
]
const imports = [
  { projectContractId: 'pc_pool', name: 'Pool', deployments: [{ address: pool }] },
  { projectContractId: 'pc_pair', name: 'Pair', deployments: [{ address: pair }, { address: otherPair }] },
]

it('names accounts, workspaces and every deployment of an imported contract', () => {
  const { own, shared } = givenNames([alice], workspaces, imports)
  expect([own.get('0xaa'), own.get('0xd0'), own.get('0xb0')]).toEqual(['Account 0', 'Savings', 'Pool'])
  expect([...shared]).toEqual([
    ['0xc1', 'Pair'],
    ['0xc2', 'Pair'],
  ])
  expect(own.has('0xc2')).toBe(false)
})

it('finds the workspace of every deployment', () => {
  const idOf = (address: string) => deployedAt(address, workspaces, imports)?.id
  expect([pool, pair, otherPair, '0xD0', '0xee'].map(idOf)).toEqual([
    'pc_pool',
    'pc_pair',
    'pc_pair',
    'wlt_1',
    undefined,
  ])
})

it('sees a change', () => {
  expect(givenNames([alice], workspaces, imports).shared.size).toBe(2)
  expect(givenNames([alice], workspaces, []).shared.size).toBe(0)
})
