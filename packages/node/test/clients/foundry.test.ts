import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { artifacts, createFoundryProject, deployContract, type FoundryProject, testAccounts } from '@understudy/testkit'
import { encodeFunctionData, parseAbi, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const solc = createRequire(import.meta.url)('solc') as { version(): string }
const key = toHex(testAccounts[0].getHdKey().privateKey as Uint8Array)
const abi = [
  { type: 'function', name: 'count', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256', name: '' }] },
] as const

const files = {
  'src/Tally.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Tally {
    uint256 public count;
    uint256 public immutable step;

    constructor(uint256 step_) {
        step = step_;
    }

    function increase() external {
        count += step;
    }

    function raise(uint256 by) external {
        uint256 twice = by * 2;
        count += twice;
    }
}
`,
  'src/Other.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Other {
    function increase() external pure returns (uint256) {
        return 9;
    }
}
`,
  'script/Deploy.s.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Tally} from "../../src/Tally.sol";

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Deploy {
    bool public constant IS_SCRIPT = true;
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function run() external {
        vm.startBroadcast();
        Tally tally = new Tally(3);
        tally.increase();
        tally.increase();
        vm.stopBroadcast();
    }
}
`,
}

let network: TestNetwork
let project: FoundryProject
/** Created with a step of 5. */
let tally: `0x${string}`
beforeAll(async () => {
  ;[network, project] = await Promise.all([startNetwork(), createFoundryProject(files)])
  const printed = await forge('create', 'src/Tally.sol:Tally', ...sending(), '--constructor-args', '5')
  tally = /Deployed to: (0x[\da-fA-F]{40})/.exec(printed)?.[1] as typeof tally
})
afterAll(async () => {
  await network?.stop()
  await project?.stop()
})

let before: string
beforeEach(async () => {
  before = await network.rpc<string>('evm_snapshot')
})
afterEach(async () => {
  expect(await network.rpc('evm_revert', before)).toBe(true)
  for (const { projectContractId } of await network.rpc<{ projectContractId: string }[]>('dev_getImportedContracts'))
    await network.rpc('dev_removeImportedContract', projectContractId)
})

const forge = (...args: string[]) => project.run('forge', ...args)
const sending = () => ['--rpc-url', network.url, '--private-key', key, '--broadcast']

const etherscan = async (params: Record<string, string>) =>
  (await fetch(`${network.url}/api?${new URLSearchParams({ module: 'contract', ...params })}`)).json()

describe('forge', () => {
  it('creates contracts', async () => {
    expect(await network.client.readContract({ address: tally, abi, functionName: 'count' })).toBe(0n)
  })

  it('runs scripts and broadcasts what they send', async () => {
    const before = await network.client.getBlockNumber()
    expect(await forge('script', 'script/Deploy.s.sol:Deploy', ...sending())).toContain(
      'ONCHAIN EXECUTION COMPLETE & SUCCESSFUL',
    )
    expect(await network.client.getBlockNumber()).toBe(before + 3n)
    const { transactions } = await network.client.getBlock({ blockNumber: before + 1n })
    const { contractAddress } = await network.client.getTransactionReceipt({ hash: transactions[0] ?? '0x' })
    expect(await network.client.readContract({ address: contractAddress ?? '0x', abi, functionName: 'count' })).toBe(6n)
  })

  it('replays a transaction with cast run', async () => {
    const hash = await network.client.sendTransaction({ to: tally, data: '0xe8927fbc' })
    const printed = await project.run('cast', 'run', hash, '--rpc-url', network.url)
    expect(printed).toMatch(/increase\(\)|e8927fbc\(\)/)
    expect(printed).toContain('Transaction successfully executed')
  })

  const verify = (contract: string, verifier: string, path: string) =>
    forge(
      ...['verify-contract', tally, contract, '--verifier', verifier, '--verifier-url', network.url + path],
      ...['--rpc-url', network.url, '--chain-id', '31337', '--watch', '--retries', '1'],
    )
  it("verifies contracts by Etherscan's API and by Sourcify's, knows their local variables, and keeps that", {
    timeout: 60_000,
  }, async () => {
    expect(await etherscan({ action: 'getabi', address: tally })).toEqual({
      status: '0',
      message: 'NOTOK',
      result: 'Contract source code not verified',
    })
    expect(await verify('src/Tally.sol:Tally', 'custom', '/api')).toContain('Contract successfully verified')
    const { result } = (await etherscan({ action: 'getabi', address: tally })) as { result: string }
    expect(JSON.parse(result)).toContainEqual(expect.objectContaining({ name: 'increase' }))
    expect(await etherscan({ action: 'getsourcecode', address: tally })).toMatchObject({
      status: '1',
      result: [
        {
          ContractName: 'Tally',
          CompilerVersion: expect.stringMatching(/^v0\.8\.\d+\+commit\./),
          SourceCode: expect.stringMatching(/^\{\{"language":"Solidity","sources":\{"src\/Tally.sol"/),
        },
      ],
    })
    const imported =
      await network.rpc<{ name: string; deployments: { address: string }[] }[]>('dev_getImportedContracts')
    expect(imported.find(({ name }) => name === 'Tally')?.deployments.map(({ address }) => address)).toContain(
      tally.toLowerCase(),
    )

    const call = encodeFunctionData({ abi: parseAbi(['function raise(uint256 by)']), args: [4n] })
    const { id } = await network.rpc<{ id: string }>('dev_debugOpen', { to: tally, data: call })
    await network.rpc('dev_debugStep', id, 'over')
    const { locals } = await network.rpc<{ locals: { entries: { name: string; value: string }[] } }>(
      'dev_debugVariables',
      id,
    )
    expect(locals.entries.map(({ name, value }) => [name, value])).toEqual([
      ['by', '4'],
      ['twice', '8'],
    ])

    expect(await verify('src/Tally.sol:Tally', 'sourcify', '/sourcify/')).toMatch(
      /already verified|successfully verified/,
    )
    await network.restart()
    const response = await fetch(`${network.url}/sourcify/v2/contract/31337/${tally}?fields=all`)
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        match: 'exact_match',
        compilation: { fullyQualifiedName: 'src/Tally.sol:Tally' },
        sources: { 'src/Tally.sol': {} },
      },
    ])
  })

  it('has what it compiled pushed, with the storage that its contracts have', async () => {
    await forge('build', '--force', '--extra-output', 'storageLayout')
    // With another immutable value, it is of the same contract.
    const output = JSON.parse(readFileSync(join(project.directory, 'out/Tally.sol/Tally.json'), 'utf8'))
    await network.client.deployContract({ abi: output.abi, bytecode: output.bytecode.object, args: [3n] })
    const { code, stdout } = await runCommand(['push', '--storage-layout', '--json'], project.directory, {
      UNDERSTUDY_RPC_URL: network.url,
    }).ended
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { contracts: [{ name: 'Other' }, { name: 'Tally' }], linkedDeployments: [{ name: 'Tally' }, { name: 'Tally' }] },
    ])
    const { projectContract } = await network.rpc<{ projectContract: { id: string } }>('dev_addWorkspace', {
      name: 'Tally',
      address: tally,
    })
    expect(await network.rpc('dev_getWorkspaceStorage', projectContract.id, { address: tally })).toMatchObject({
      entries: [{ name: 'count', type: 'uint256', value: '0' }],
    })
    await network.rpc('dev_setStorageAt', tally, '0x0', `0x${'ff'.repeat(32)}`)
    expect(await network.rpc('dev_getStackTrace', { to: tally, data: '0xe8927fbc' })).toMatchObject([
      {
        file: 'src/Tally.sol',
        line: 1 + files['src/Tally.sol'].split('\n').findIndex((line) => line.includes('count += step')),
        function: 'Tally.increase',
        message: 'arithmetic underflow or overflow',
      },
    ])
  })

  it('is told why a contract is not what it is said to be', async () => {
    const input = { language: 'Solidity', sources: { 'src/Other.sol': { content: files['src/Other.sol'] } } }
    const submitted = await fetch(`${network.url}/sourcify/v2/verify/31337/${tally}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        stdJsonInput: input,
        compilerVersion: solc.version().replace('.Emscripten.clang', ''),
        contractIdentifier: 'src/Other.sol:Other',
      }),
    })
    expect(submitted.status).toBe(202)
    const { verificationId } = (await submitted.json()) as { verificationId: string }
    // It is answered once the sources are compiled.
    expect(await (await fetch(`${network.url}/sourcify/v2/verify/${verificationId}`)).json()).toMatchObject({
      isJobCompleted: true,
      contract: { match: null },
      error: { message: expect.stringContaining('does not match src/Other.sol:Other compiled with') },
    })
  })
})

describe('the APIs of verification', () => {
  const post = async (fields: Record<string, string>) =>
    (
      await fetch(`${network.url}/api`, {
        method: 'POST',
        body: new URLSearchParams({ module: 'contract', action: 'verifysourcecode', ...fields }),
      })
    ).json()

  it.each([
    [{ contractaddress: '0x12', contractname: 'a:b', sourceCode: '{}' }, 'expected a 20-byte address'],
    [
      {
        contractaddress: `0x${'aa'.repeat(20)}`,
        contractname: 'a:b',
        sourceCode: 'x',
        codeformat: 'solidity-standard-json-input',
      },
      'standard JSON',
    ],
    [
      { contractaddress: `0x${'aa'.repeat(20)}`, contractname: 'a:b', codeformat: 'vyper-json' },
      'Use solidity-standard-json-input',
    ],
  ])('say what is wrong: %j', async (fields, problem) => {
    expect(await post(fields as Record<string, string>)).toEqual({
      status: '0',
      message: 'NOTOK',
      result: expect.stringContaining(problem),
    })
  })

  it.each([
    [{ compilerversion: '' }, 'compilerVersion: expected one such as 0.8.30'],
    [{ compilerversion: '0' }, 'compilerVersion: expected one such as 0.8.30'],
    [
      {
        codeformat: 'solidity-standard-json-input',
        sourceCode: JSON.stringify({ sources: {}, settings: { modelChecker: { engine: 'all' } } }),
      },
      'settings.modelChecker: omit it',
    ],
  ])('compile nothing of %j', async (fields, problem) => {
    const claim = { contractaddress: tally, contractname: 'a.sol:A', compilerversion: 'v0.8.30+commit.73712a01' }
    expect(await post({ ...claim, ...fields })).toEqual({
      status: '0',
      message: 'NOTOK',
      result: expect.stringContaining(problem),
    })
  })

  it('say which compiler is missing', async () => {
    const { result: guid } = (await post({
      contractaddress: tally,
      contractname: 'Old',
      sourceCode: 'contract Old {}',
      compilerversion: 'v0.4.11+commit.68ef5810',
    })) as { result: string }
    const status = (await etherscan({ action: 'checkverifystatus', guid })) as { result: string }
    expect(status.result).toContain('npm install solc@0.4.11')
  })

  it('take what was pushed, where its compiler is missing', async () => {
    const { abi: counterAbi, deployedBytecode } = artifacts.Counter
    const counter = await deployContract(network.client, artifacts.Counter, [1n])
    await network.rpc('dev_importContracts', {
      contracts: [{ name: 'Counter', abi: JSON.stringify(counterAbi), bytecode: deployedBytecode }],
    })
    expect(await etherscan({ action: 'getabi', address: counter })).toMatchObject({ status: '1' })
    const { result: guid } = (await post({
      contractaddress: counter,
      contractname: 'Counter',
      sourceCode: 'contract Counter {}',
      compilerversion: 'v0.4.11+commit.68ef5810',
    })) as { result: string }
    expect(await etherscan({ action: 'checkverifystatus', guid })).toMatchObject({ result: 'Pass - Verified' })
  })

  it('ask for keys where the network does: to verify, one with the role admin', async () => {
    const [look, rule] = ['look-look-look-look', 'rule-rule-rule-rule']
    const guarded = await startNetwork({ apiKeys: [`${look}:read`, `${rule}:admin`] })
    try {
      const ask = async (params: Record<string, string>) =>
        (await (
          await fetch(`${guarded.url}/api?${new URLSearchParams({ module: 'contract', ...params })}`, {
            method: params.action === 'verifysourcecode' ? 'POST' : 'GET',
          })
        ).json()) as {
          result: string
        }
      const address = `0x${'aa'.repeat(20)}`
      expect((await ask({ action: 'getabi', address })).result).toContain('unauthorized')
      expect((await ask({ action: 'getabi', address, apikey: look })).result).toBe('Contract source code not verified')
      expect((await ask({ action: 'verifysourcecode', apikey: look })).result).toContain(
        'needs a key with the role admin',
      )
      expect((await ask({ action: 'verifysourcecode', apikey: rule })).result).toContain('expected a 20-byte address')
    } finally {
      await guarded.stop()
    }
  })
})
