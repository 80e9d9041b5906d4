import { createRequire } from 'node:module'
import type { Result } from '@understudy/client/methods'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Code = { object: string }
type Output = {
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: Code; deployedBytecode: Code } }>>
}

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
const path = 'src/Counter.sol'

function compile(body: string) {
  const content = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
    uint256 public number = 1;
    function set(uint256 a) external { require(a != 0, "zero"); ${body} number = a; }
    function twice(uint256 a) external pure returns (uint256) { return a * 2; }
}`
  const input = {
    language: 'Solidity',
    sources: { [path]: { content } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } } },
  }
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const compiled = contracts[path]?.Counter ?? expect.fail('it does not compile')
  const { abi, evm } = compiled
  const [creation, runtime]: Hex[] = [`0x${evm.bytecode.object}`, `0x${evm.deployedBytecode.object}`]
  return { abi, creation: creation as Hex, runtime: runtime as Hex }
}

let network: TestNetwork
let id: string
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

const gasOf = () => network.rpc<Result<'dev_getWorkspaceGas'>>('dev_getWorkspaceGas', id)

async function release({ abi, creation, runtime }: ReturnType<typeof compile>) {
  const contract = { name: 'Counter', sourcePath: path, abi: JSON.stringify(abi), bytecode: runtime }
  const { contracts } = await network.rpc<{ contracts: { projectContractId: string; status: string }[] }>(
    'dev_importContracts',
    { contracts: [{ ...contract, deployedBytecode: runtime, creationBytecode: creation }] },
  )
  id = contracts[0]?.projectContractId ?? expect.fail('it was not imported')
  const hash = await network.client.deployContract({ abi, bytecode: creation })
  const { contractAddress } = await network.client.getTransactionReceipt({ hash })
  return async (functionName: string, ...args: unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    const sent = await network.client.sendTransaction({ to: contractAddress as Address, data, gas: 100_000n })
    return Number((await network.client.getTransactionReceipt({ hash: sent })).gasUsed)
  }
}

it('shows what a new version of a contract costs more, and what less', async () => {
  const first = await release(compile(''))
  expect(await gasOf()).toEqual([])
  // The first costs less: the slot has its value.
  for (const value of [1n, 2n, 3n]) await first('set', value)
  await first('twice', 4n)
  await first('set', 0n)

  const [set, twice] = await gasOf()
  expect(set).toMatchObject({ signature: 'set(uint256)', versions: [{ number: 1, calls: 4, change: null }] })
  expect(twice).toMatchObject({ signature: 'twice(uint256)', versions: [{ number: 1, calls: 1, isRegression: false }] })
  const { min, p50, max } = set?.versions[0]?.gas ?? expect.fail('there is no gas')
  expect(Number(p50) - Number(min)).toBe(2800)
  expect(max).toBe(p50)

  const second = await release(compile('number = a + 1; number = 0;'))
  await second('set', 0n)
  expect((await gasOf())[0]?.versions[1]).toMatchObject({ calls: 1, gas: null, change: null, isRegression: false })
  for (const value of [5n, 6n]) await second('set', value)
  const third = await release(compile('a = a + 1 - 1;'))
  await third('set', 7n)
  const [changed] = await gasOf()
  expect(changed?.versions.map(({ number, calls, isRegression }) => [number, calls, isRegression])).toEqual([
    [1, 4, false],
    [2, 3, true],
    [3, 1, false],
  ])
  const medians = changed?.versions.map(({ gas }) => Number(gas?.p50)) ?? []
  expect(changed?.versions.map(({ change }) => change)).toEqual([
    null,
    (medians[1] ?? 0) - (medians[0] ?? 0),
    (medians[2] ?? 0) - (medians[1] ?? 0),
  ])
  expect(medians[1]).toBeGreaterThan(medians[2] ?? 0)

  const wallet = await network.rpc<{ wallet: { id: string } }>('dev_addWorkspace', {
    name: 'Wallet',
    address: network.client.account.address,
  })
  expect(await network.rpc('dev_getWorkspaceGas', wallet.wallet.id)).toEqual([])
})
