import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

const account = (digits: string) => `0x${digits.padStart(40, '0')}`
const tagsOf = async (address: string) =>
  (await network.rpc<{ address: string; tags: string[] }[]>('dev_getTags')).find((each) => each.address === address)
    ?.tags

it('adds tags that come at the same time, each once, and keeps them over a restart', async () => {
  await Promise.all(
    ['treasury', 'vault', 'treasury'].map((tag) => network.rpc('dev_addTags', [account('a1'), account('a2')], [tag])),
  )
  await network.restart()
  expect(await tagsOf(account('a1'))).toEqual(['treasury', 'vault'])
  expect(await tagsOf(account('a2'))).toEqual(['treasury', 'vault'])
})

it('removes some tags of an account, or all', async () => {
  await network.rpc('dev_addTags', account('b1'), ['one', 'two', 'three'])
  await network.rpc('dev_removeTags', account('b1'), ['two'])
  expect(await tagsOf(account('b1'))).toEqual(['one', 'three'])
  await network.rpc('dev_removeTags', account('b1'))
  expect(await tagsOf(account('b1'))).toBeUndefined()
})

it('refuses more tags than an account may have, and changes nothing', async () => {
  const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  await network.rpc('dev_addTags', account('c1'), many)
  await expect(network.rpc('dev_addTags', account('c1'), ['one more'])).rejects.toThrow(/tags of an account/)
  await expect(network.rpc('dev_addTags', account('c1'), [''])).rejects.toThrow(/is empty/)
  expect(await tagsOf(account('c1'))).toEqual(many)
})

it('refuses more accounts with tags than the answer that lists them may have', async () => {
  const addresses = Array.from({ length: 1000 }, (_, index) => account((0xd000 + index).toString(16)))
  await network.rpc('dev_addTags', account('d1'), ['first'])
  await expect(network.rpc('dev_addTags', addresses, ['many'])).rejects.toThrow(/accounts with tags/)
  expect(await tagsOf(account('d1'))).toEqual(['first'])
})
