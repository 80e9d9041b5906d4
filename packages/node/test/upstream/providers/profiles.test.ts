import { startAnvil, startFaultProxy } from '@understudy/testkit'
import { expect, test } from 'vitest'
import { eventually, startNetwork } from '../../startNetwork.ts'

test('what was found of a URL is shown, and known to the next start', async () => {
  const anvil = await startAnvil()
  const proxy = await startFaultProxy(anvil.url)
  proxy.set({ refuseBatches: 'freePlan', maxBatch: 3, missingMethods: ['eth_getProof'] })
  const network = await startNetwork({ forkUrls: [`${proxy.url}/v2/s3cret`] })
  try {
    const profilesOf = async () =>
      (await network.rpc<{ upstream: { profiles: Record<string, unknown> } }>('dev_getNetworkInfo')).upstream.profiles
    const found = {
      [`${proxy.url}/***`]: {
        batch: 3,
        batchRefusal: expect.stringContaining('more than 3'),
        missingMethods: expect.arrayContaining(['eth_getProof']),
      },
    }
    const accounts = Array.from({ length: 8 }, (_, index) => `0x${(index + 16).toString(16).repeat(20)}`)
    await Promise.all(accounts.map((account) => network.rpc('eth_getBalance', account, 'latest')))
    await eventually(profilesOf, (profiles) => JSON.stringify(profiles).includes('eth_getProof'))
    expect(await profilesOf()).toMatchObject(found)
    const metrics = await (await fetch(`${network.url}/metrics`)).text()
    expect(metrics).toContain(`understudy_upstream_profile{upstream="${proxy.url}/***",kind="batch"} 3`)
    expect(metrics).not.toContain('s3cret')

    await network.restart()
    expect(await profilesOf()).toMatchObject(found)
    proxy.resetStats()
    const others = accounts.map((account) => account.replace('0x1', '0x7'))
    await Promise.all(others.map((account) => network.rpc('eth_getBalance', account, 'latest')))
    expect(proxy.stats().largestBatch).toBeLessThanOrEqual(3)
  } finally {
    await network.stop()
    await proxy.stop()
    await anvil.stop()
  }
})
