import { createRequire } from 'node:module'
import { artifacts, deployContract, sourcesOf20MiB, sourcesOf1400MiB } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const solc = createRequire(import.meta.url)('solc') as { version(): string }
const version = /^\d+\.\d+\.\d+\+commit\.[\da-f]+/.exec(solc.version())?.[0] ?? ''

describe('a network that is asked to verify hostile sources', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork()
  })
  afterAll(() => network.stop())

  it('refuses them by name, and serves others while they are compiled', async () => {
    const address = await deployContract(network.client, artifacts.Counter, [1n])
    const submit = async (sources: object) => {
      const response = await fetch(`${network.url}/sourcify/v2/verify/31337/${address}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          stdJsonInput: { language: 'Solidity', sources },
          compilerVersion: version,
          contractIdentifier: 'a.sol:A',
        }),
      })
      return ((await response.json()) as { verificationId: string }).verificationId
    }
    const jobOf = async (id: string) =>
      (await (await fetch(`${network.url}/sourcify/v2/verify/${id}`)).json()) as {
        isJobCompleted: boolean
        error?: { message: string }
      }
    const ids = [await submit(sourcesOf20MiB), await submit(sourcesOf1400MiB)]
    let isOver = false
    const ended = eventually(
      () => Promise.all(ids.map(jobOf)),
      (all) => all.every(({ isJobCompleted }) => isJobCompleted),
    ).finally(() => {
      isOver = true
    })
    let served = 0
    for (; !isOver; served++)
      await network.client.writeContract({ address, abi: artifacts.Counter.abi, functionName: 'increment' })
    const jobs = await ended
    expect(jobs.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('the output of the compiler in characters'),
      expect.stringContaining('the memory of a compilation in MB'),
    ])
    expect(served).toBeGreaterThan(10)
    expect(await network.client.readContract({ address, abi: artifacts.Counter.abi, functionName: 'number' })).toBe(
      BigInt(1 + served),
    )
  }, 90_000)
})
