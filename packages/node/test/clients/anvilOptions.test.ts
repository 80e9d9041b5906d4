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
