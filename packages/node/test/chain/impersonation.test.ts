import { artifacts, deployContract, requireSuccess } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

it('lets a contract send, once it is impersonated', async () => {
  const { client, rpc } = network
  const address = await deployContract(client, artifacts.Counter, [0n])
  const send = () =>
    rpc<`0x${string}`>('eth_sendTransaction', { from: address, to: client.account.address, value: '0x7' })
  await rpc('dev_setBalance', address, '1000000000000000000')
  await expect(send()).rejects.toThrow('dev_impersonateAccount')
  await rpc('dev_impersonateAccount', address)
  await requireSuccess(client, await send())
  const { from } = await client.getTransaction({ hash: await send() })
  expect(from).toBe(address.toLowerCase())
})
