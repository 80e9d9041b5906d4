import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { artifacts } from '@understudy/testkit'
import { encodeDeployData } from 'viem'
import type { SampleNetwork } from './startSampleNetwork.ts'

/** A project as Foundry leaves it, whose contract is deployed: sources, artifacts, and much that is not ours. */
export async function deployedProject({ rpc }: SampleNetwork) {
  const [from] = await rpc<string[]>('eth_accounts')
  const { abi, bytecode, deployedBytecode } = artifacts.Counter
  await rpc('eth_sendTransaction', { from, data: encodeDeployData({ abi, bytecode, args: [7n] }) })
  const project = mkdtempSync(join(tmpdir(), 'project-'))
  const metadata = { settings: { compilationTarget: { 'src/Counter.sol': 'Counter' } } }
  const files = {
    'src/Counter.sol': 'contract Counter {\n  uint256 public number;\n}\n',
    'out/Counter.sol/Counter.json': JSON.stringify({
      abi,
      bytecode: { object: bytecode },
      deployedBytecode: { object: deployedBytecode },
      metadata,
    }),
    'cache/solidity-files-cache.json': '{}',
    'node_modules/other/Other.json': JSON.stringify({ abi: [], bytecode: '0x00', contractName: 'Other' }),
    'package.json': '{}',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  return { project, remove: () => rmSync(project, { recursive: true }) }
}
