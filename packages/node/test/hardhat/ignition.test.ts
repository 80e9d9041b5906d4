import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { readHardhatArtifact, sources } from './project.ts'

type Ignition = {
  deploy(
    modulePath: string,
    options: { reset: boolean },
  ): Promise<{ type: string; contracts: Record<string, { address: Address }> }>
  close(): void
}

const chainId = 4217
const modulePath = 'ignition/modules/Tally.js'
const tallyModule = `import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'

export default buildModule('Tallies', (m) => {
  const tally = m.contract('contracts/Tally.sol:Tally', [7n], { id: 'Tally' })
  m.call(tally, 'increase')
  return { tally }
})
`

const program = new URL('../../../../clients/hardhat3/', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/@nomicfoundation/hardhat-ignition', program))

describe.skipIf(!isInstalled)('Hardhat Ignition', { timeout: 60_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-ignition-'))
  let network: TestNetwork
  let ignition: Ignition
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    for (const [path, content] of Object.entries({ ...sources, [modulePath]: tallyModule })) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), content)
    }
    network = await startNetwork({ chainId })
    ignition = await (await import(new URL('open.mjs', program).href)).openHardhat({
      directory,
      url: network.url,
      chainId,
    })
  })
  afterAll(async () => {
    await network?.stop()
    ignition?.close()
  })

  async function deploy(options: { reset: boolean }): Promise<Address> {
    const { type, contracts } = await ignition.deploy(modulePath, options)
    expect(type).toBe('SUCCESSFUL_DEPLOYMENT')
    return contracts['Tallies#Tally']?.address as Address
  }
  const countOf = (address: Address) =>
    network.client.readContract({ address, abi: readHardhatArtifact(directory, 'Tally').abi, functionName: 'count' })

  it('deploys the contract of a module and calls it, and stores the address by the chain id', async () => {
    const address = await deploy({ reset: true })
    expect(await countOf(address)).toBe(7n)
    const stored = readFileSync(
      join(directory, `ignition/deployments/chain-${chainId}/deployed_addresses.json`),
      'utf8',
    )
    expect(JSON.parse(stored)).toEqual({ 'Tallies#Tally': address })
  })

  it('deploys again after a revert only when it is told to reset', async () => {
    const snapshot = await network.rpc<Hex>('evm_snapshot')
    await deploy({ reset: true })
    await network.rpc('evm_revert', snapshot)
    const remembered = await deploy({ reset: false })
    expect(await network.client.getCode({ address: remembered })).toBeUndefined()
    expect(await countOf(await deploy({ reset: true }))).toBe(7n)
  })
})
