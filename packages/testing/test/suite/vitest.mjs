import { test } from '@understudy/testing/vitest'
import { inject } from 'vitest'
import { change } from './changes.mjs'

const first = inject('first')
for (let index = first; index < first + 50; index++) test(`changes ${index}`, ({ branch }) => change(branch, index))

if (first === 0)
  test('fails', async ({ branch, expect }) => {
    await branch.testClient.setBalance({ address: branch.accounts[1], value: 1234n })
    expect(await branch.publicClient.getBalance({ address: branch.accounts[1] })).toBe(0n)
  })
