import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, deployContract, testAccounts } from '@understudy/testkit'
import { type Abi, encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileProject } from '../compiledProject.ts'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Till {
    error TooMuch(uint256 asked, uint256 left);
    event Taken(address indexed by, uint256 amount);
    string public constant name = "Till";
    string public constant symbol = "TILL";
    uint8 public constant decimals = 2;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() { balanceOf[msg.sender] = 100000; }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (balanceOf[msg.sender] < value) revert TooMuch(value, balanceOf[msg.sender]);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// @notice Executes as a Safe does, whose storage it has.
contract Strongbox {
    address singleton;
    mapping(address => address) modules;
    mapping(address => address) owners;
    uint256 ownerCount;
    uint256 threshold;

    constructor() { threshold = 2; ownerCount = 2; }

    function getOwners() external pure returns (address[] memory list) {
        list = new address[](2);
        list[0] = address(0xa1);
        list[1] = address(0xa2);
    }

    /// @notice execTransaction, whose ten parameters are more than the stack holds.
    fallback(bytes calldata input) external payable returns (bytes memory) {
        require(bytes4(input) == 0x6a761202, "unknown function");
        (address to, uint256 value, bytes memory data) = abi.decode(input[4:], (address, uint256, bytes));
        uint256 at = 4 + uint256(bytes32(input[292:324]));
        require(uint256(bytes32(input[at:at + 32])) / 65 >= threshold, "GS020");
        bytes calldata signature = input[at + 32:at + 97];
        require(address(uint160(uint256(bytes32(signature)))) == msg.sender && signature[64] == 0x01, "GS025");
        (bool done, ) = to.call{value: value}(data);
        require(done, "GS013");
        return abi.encode(done);
    }
}
`
const line = source.split('\n').findIndex((text) => text.includes('revert TooMuch')) + 1

const folder = mkdtempSync(join(tmpdir(), 'understudy-simulate-'))
const [alice, bob] = testAccounts.map(({ address }) => address) as [Hex, Hex]
let network: TestNetwork
let till: Hex
let safe: Hex
let abi: Abi
beforeAll(async () => {
  network = await startNetwork()
  const project = await compileProject({ 'src/Till.sol': source })
  const { contracts } = project
  await network.rpc('dev_importContracts', { contracts })
  abi = project.deployable('Till').abi
  till = await deployContract(network.client, project.deployable('Till') as never)
  safe = await deployContract(network.client, project.deployable('Strongbox') as never)
  await network.client.writeContract({ address: till, abi, functionName: 'transfer', args: [safe, 500n] } as never)
})
afterAll(async () => {
  await network?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const simulate = (...args: string[]) => runCommand(['simulate', '--rpc-url', network.url, ...args], folder).ended
const transfer = (value: bigint) => encodeFunctionData({ abi, functionName: 'transfer', args: [bob, value] })
const fileOf = (name: string, content: unknown) => {
  writeFileSync(join(folder, name), JSON.stringify(content))
  return name
}

it('says what a call given by its options approves, changes and costs', async () => {
  const args = ['--args', `["${bob}", "${2n ** 256n - 1n}"]`, '--share']
  const { code, stdout } = await simulate(
    '--from',
    alice,
    '--to',
    till,
    '--function',
    'approve(address,uint256)',
    ...args,
  )
  expect(code).toBe(0)
  const [a, b, t] = [alice, bob, till].map((address) => address.toLowerCase())
  expect(stdout).toContain(`succeeds: ${a} calls approve(spender: ${bob}, value: ${2n ** 256n - 1n}) of Till ${t}, `)
  expect(stdout).toContain(`Approvals\n  ${b} may take any amount of TILL from ${a} (before: nothing)\n`)
  expect(stdout).toMatch(new RegExp(`  Till ${t}\n    allowance\\[${alice}\\]\\[${bob}\\]: 0 → 1157\\d+\n`))
  expect(stdout).toMatch(
    /Gas and fee\n {2}gas used +\d+\n {2}gas price .* gwei\)\n {2}fee .* ETH, which this call does not pay/,
  )
  expect(stdout.indexOf('Approvals')).toBeLessThan(stdout.indexOf('State changes'))
  const [, page, id] = /^Shared: (\S+\/simulation\/(\S+))$/m.exec(stdout) ?? []
  expect(await network.rpc('dev_getSimulation', id)).toMatchObject({ isShared: true, function: 'approve' })
  expect(page).toBe(`${network.url}/simulation/${id}`)
})

it('exits with 1 for a call that fails, and names the error and its line', async () => {
  const calls = [
    { to: till, data: transfer(100n) },
    { to: till, data: transfer(100_000n) },
    { to: bob, value: '1' },
  ]
  const { code, stdout } = await simulate(fileOf('calls.json', calls), '--from', alice, '--atomic')
  expect(code).toBe(1)
  expect(stdout).toContain('Call 1: succeeds')
  expect(stdout).toContain(`  1 TILL from ${alice.toLowerCase()} to ${bob.toLowerCase()}\n`)
  expect(stdout).toContain(
    `Error\n  execution reverted: TooMuch(100000, 99400)\n  at src/Till.sol:${line} in Till.transfer\n`,
  )
  expect(stdout).toContain('Call 2 fails, and the one after it did not run. Nothing has changed')
})

it('simulates transactions of a Safe that no owner has signed yet, and batches of its builder', async () => {
  const service = {
    safe,
    to: till,
    value: '0',
    data: transfer(400n),
    operation: 0,
    nonce: 3,
    safeTxGas: 0,
    baseGas: 0,
    gasPrice: '0',
    gasToken: null,
    refundReceiver: null,
  }
  const single = await simulate(fileOf('service.json', service))
  expect(single.stdout).toContain(
    `Asset changes\n  4 TILL from Strongbox ${safe.toLowerCase()} to ${bob.toLowerCase()}\n`,
  )
  expect(single.code).toBe(0)
  const contractMethod = {
    name: 'transfer',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  }
  const batch = {
    meta: { createdFromSafeAddress: safe },
    transactions: [
      { to: till, value: '0', data: transfer(300n) },
      { to: till, value: '0', data: null, contractMethod, contractInputsValues: { to: bob, value: '300' } },
    ],
  }
  const { code, stdout } = await simulate(fileOf('batch.json', batch))
  expect(stdout).toContain('TooMuch(300, 200)')
  expect(stdout).toContain('Call 2 fails. Nothing has changed')
  expect(code).toBe(1)
})

it('reads a signed transaction from standard input, and prints everything as JSON', async () => {
  const signed = await network.client.account.signTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 99,
    to: bob,
    value: parseEther('2'),
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
  const child = spawn(process.execPath, [command, 'simulate', '-', '--json', '--rpc-url', network.url])
  child.stdin.end(`${signed}\n`)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
    failed: null,
    results: [
      {
        message: { from: alice.toLowerCase() },
        assetChanges: [{ kind: 'native', formatted: '2' }],
        fee: { isCharged: true },
      },
    ],
  })
})

it('exits with 2 and names what is wrong', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await simulate(...args)
    return [code, stderr.split('\n')[0]]
  }
  expect(await refused('{"calls":[{"to":"0x1"}]}')).toEqual([
    2,
    'error: invalid params: calls[0].to: expected an address, got "0x1"',
  ])
  const wrong = await refused('--to', till, '--function', 'transfer(address,uint256)', '--args', '["0x1", 5]')
  expect(wrong).toEqual([2, expect.stringContaining('--args[0]: expected an address')])
})
