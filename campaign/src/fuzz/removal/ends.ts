import assert from 'node:assert/strict'
import { JsonRpcError, postJsonRpc } from '@understudy/testkit'
import { eventually } from '../../shared/eventually.ts'
import { holder } from './users.ts'

/** A network that is made for users, and then ends. */
export type Ending = {
  url: string
  /** The kinds of errors that say that it is gone. */
  gone: readonly string[]
  code: number
  /** Ends it. Resolves when that was answered. */
  end(): Promise<void>
  /** Throws if anything of it is left, where a new one of its name is made. */
  checkAnew(): Promise<void>
}

/** A process with several networks, of which one is not removed. */
export type Site = { url: string; parent: string }

export type MakeEnding = (site: Site) => Promise<Ending>

const name = 'used'
const branchGone = { gone: ['BRANCH_NOT_FOUND'], code: 4404 }

async function makeBranch({ parent }: Site, more: object = {}): Promise<string> {
  await postJsonRpc(parent, 'dev_createBranch', [{ name, ...more }])
  return `${parent}/n/${name}`
}

const isListed = async ({ parent }: Site) =>
  (await postJsonRpc<{ name: string }[]>(parent, 'dev_getBranches', [])).some((branch) => branch.name === name)

/** What a network says of itself. */
async function shownBy(url: string): Promise<unknown> {
  const methods: readonly (readonly [string, ...unknown[]])[] = [
    ['eth_blockNumber'],
    ['eth_getBalance', holder, 'latest'],
    ['eth_getStorageAt', holder, '0x0', 'latest'],
    ['dev_getTrackedData'],
    ['dev_getFunctionOverrides'],
    ['dev_getFollowed'],
    ['dev_getImpersonatedAccounts'],
    ['dev_getWalletRequests'],
    ['txpool_content'],
  ]
  return Promise.all(
    methods.map(async ([method, ...params]) => [method, await postJsonRpc(url, method, params)] as const),
  )
}

/** A new branch of the name begins with what its parent has, and can be used. */
async function checkBranchAnew(site: Site): Promise<void> {
  assert.equal(await isListed(site), false, 'it is still listed')
  const url = await makeBranch(site)
  assert.deepEqual(await shownBy(url), await shownBy(site.parent))
  await postJsonRpc(url, 'dev_setBalance', [holder, '77'])
  assert.equal(await postJsonRpc(url, 'eth_getBalance', [holder, 'latest']), '0x4d')
  await postJsonRpc(site.parent, 'dev_removeBranch', [name])
}

async function branchEnding(site: Site, more: object, end: (url: string) => Promise<void>): Promise<Ending> {
  const url = await makeBranch(site, more)
  return { url, ...branchGone, end: () => end(url), checkAnew: () => checkBranchAnew(site) }
}

/** A network of the process; `path`: what of it is used. */
async function networkEnding({ url }: Site, path: string): Promise<Ending> {
  const make = () => postJsonRpc(url, 'dev_createNetwork', [{ name }])
  const remove = () => postJsonRpc(url, 'dev_removeNetwork', [name])
  await make()
  const own = `${url}/n/${name}`
  const fresh = await shownBy(own)
  if (path !== '') await postJsonRpc(own, 'dev_createBranch', [{ name }])
  return {
    url: `${own}${path}`,
    gone: ['HOSTED_NETWORK_NOT_FOUND', 'NETWORK_STOPPING', 'BRANCH_CLOSED'],
    code: 1001,
    async end() {
      await remove()
    },
    async checkAnew() {
      const asked = postJsonRpc(own, 'eth_chainId', [])
      await assert.rejects(asked, (error) => error instanceof JsonRpcError && /no network is named/.test(error.message))
      await make()
      assert.deepEqual(await shownBy(own), fresh)
      assert.deepEqual(await postJsonRpc(own, 'dev_getBranches', []), [])
      await remove()
    },
  }
}

/** The ways in which a branch or a network of a running process is removed. */
export const endings: Record<string, MakeEnding> = {
  'a branch by a call': (site) =>
    branchEnding(site, {}, async () => {
      await postJsonRpc(site.parent, 'dev_removeBranch', [name])
    }),
  'a branch by a call at its own URL': (site) =>
    branchEnding(site, {}, async (url) => {
      await postJsonRpc(url, 'dev_removeBranch', [name])
    }),
  'a branch by its ttl': (site) =>
    branchEnding(site, { ttl: 1 }, () => eventually(async () => assert.equal(await isListed(site), false), 20_000)),
  'a network': (site) => networkEnding(site, ''),
  'a network with a branch that is used': (site) => networkEnding(site, `/n/${name}`),
}
