import { startAnvil } from '@understudy/testkit'
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { startNetwork } from '../startNetwork.ts'

it("derives the accounts of another path, which are anvil's, and signs for them", async () => {
  const derivationPath = "m/44'/60'/0'/1"
  const anvil = await startAnvil({ args: ['--derivation-path', `${derivationPath}/`] })
  const network = await startNetwork({ forkUrls: [anvil.url], derivationPath })
  try {
    const accounts = await network.rpc<Address[]>('eth_accounts')
    expect(accounts).toEqual((await anvil.rpc<Address[]>('eth_accounts')).map((account) => account.toLowerCase()))
    const transfer = { from: accounts[1], to: accounts[2], value: '0x1' }
    const hash = await network.rpc('eth_sendTransaction', transfer)
    expect(await network.rpc('eth_getTransactionByHash', hash)).toMatchObject({
      from: accounts[1],
      r: expect.any(String),
    })
  } finally {
    await network.stop()
    await anvil.stop()
  }
})

it('forks at a block below the head, and stays there when it starts again', async () => {
  const anvil = await startAnvil({})
  await anvil.rpc('anvil_mine', ['0x14'])
  const network = await startNetwork({ forkUrls: [anvil.url], forkBlockNumber: '-5' })
  try {
    expect(await network.rpc('eth_blockNumber')).toBe('0xf')
    await anvil.rpc('anvil_mine', ['0x5'])
    await network.restart()
    expect(await network.rpc('eth_blockNumber')).toBe('0xf')
    await expect(network.restart({ forkBlockNumber: 5n })).rejects.toThrow('a fork at block 5')
    await network.restart({ forkBlockNumber: undefined, forkUrls: [`${anvil.url}@15`] })
    await expect(startNetwork({ forkUrls: [`${anvil.url}@-26`] })).rejects.toThrow(
      'block -1 does not exist; the head is 25',
    )
  } finally {
    await network.stop()
    await anvil.stop()
  }
})
