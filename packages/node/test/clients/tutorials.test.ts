import {
  createFoundryProject,
  type FoundryProject,
  postJsonRpc,
  startUnderstudy,
  type Understudy,
} from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectedOf, follow, partsOf } from './tutorial.ts'

/** Chainlink's ETH/USD feed on mainnet, as far as tutorials read it: whatever is called, it answers with this round. */
const feed = '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'
const round = [129127208515966861312n, 300000000000n, 1700000000n, 1700000000n, 129127208515966861312n]
const push = (value: bigint) => `7f${value.toString(16).padStart(64, '0')}`
const stores = round.map((value, at) => `${push(value)}60${(32 * at).toString(16).padStart(2, '0')}52`)
const feedCode = `0x${stores.join('')}60a05ff3`

let live: Understudy
let project: FoundryProject
beforeAll(async () => {
  live = await startUnderstudy(['--ephemeral', '--chain-id', '1'])
  await postJsonRpc(live.url, 'dev_setCode', [feed, feedCode])
})
afterAll(() => live?.end())
beforeEach(async () => {
  project = await createFoundryProject({})
})
afterEach(() => project?.stop())

it.each([
  'tutorials/change-a-price',
  'tutorials/test-an-upgrade',
  'tutorials/staging-network',
  'tutorials/from-anvil',
  'tutorials/from-hardhat',
  'tutorials/from-tenderly',
  'tenderly',
  'recipes',
])('every command of docs/%s.md works, and prints what the page says', { timeout: 120_000 }, async (name) => {
  const { directory, environment } = project
  const followed = await follow(partsOf(`${name}.md`), { directory, environment, liveUrl: live.url })
  expect(followed.filter(({ printed }) => printed.length > 0).length).toBeGreaterThan(3)
  expect(followed.map(({ command, output }) => ({ command, output }))).toEqual(
    followed.map((step) => ({ command: step.command, output: expectedOf(step) })),
  )
})
