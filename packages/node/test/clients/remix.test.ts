import { existsSync } from 'node:fs'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { type Address, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

/** Remix's debugger has an installation of its own: see CONTRIBUTING.md. */
const program = new URL('../../../../clients/remix/', import.meta.url)
type Debugged = { steps: number; memory: string[]; storage: Record<Hex, Hex> }

if (!existsSync(new URL('node_modules', program))) it.skip('remix is not installed: npm run install-clients')
else
  describe("Remix's debugger", () => {
    const { abi } = artifacts.Counter
    let anvil: Anvil
    let network: TestNetwork
    let counter: Address

    beforeAll(async () => {
      anvil = await startAnvil()
      const live = await connectClient(anvil.url)
      counter = await deployContract(live, artifacts.Counter, [41n])
      network = await startNetwork({ forkUrls: [anvil.url] })
    })
    afterAll(async () => {
      await network?.stop()
      await anvil?.stop()
    })

    it('shows steps, memory and storage of a transaction on a contract from before the fork', async () => {
      const hash = await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
      const transaction = await network.rpc('eth_getTransactionByHash', hash)
      const { debugTransaction } = await import(new URL('open.mjs', program).href)
      const seen: Debugged = await debugTransaction({ url: network.url, transaction })
      expect(seen.steps).toBeGreaterThan(50)
      // The free memory pointer.
      expect(seen.memory.join('')).toContain('80')
      expect(seen.storage[pad('0x0')]).toBe(pad('0x29'))
    })
  })
