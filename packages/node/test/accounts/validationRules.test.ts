import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, postJsonRpc, type SmartAccountContracts, startUnderstudy } from '@understudy/testkit'
import { type Address, type Hex, numberToHex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { simpleAccount, startChainWithAccounts, versions } from './smartAccounts.ts'

/** An account that accepts every operation, after what the first byte of the signature says. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Ledger {
    uint256 public total = 7;
    mapping(address => uint256) public balanceOf;

    function mark() external { assembly { tstore(5, 1) } }
}

contract Account {
    struct Operation {
        address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits;
        uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature;
    }
    Ledger constant ledger = Ledger(0x1eD9e20000000000000000000000000000001234);
    uint256 used;

    function validateUserOp(Operation calldata operation, bytes32, uint256) external returns (uint256) {
        uint8 what = uint8(operation.signature[0]);
        if (what == 1) require(block.timestamp > 0);
        if (what == 2) require(ledger.total() < 100);
        if (what == 3) require(ledger.balanceOf(address(this)) < 100);
        if (what == 4) { (bool done,) = address(0xdead).call(""); require(done); }
        if (what == 5) { (bool done,) = address(ledger).call{value: 1}(""); done; }
        if (what == 6) used = gasleft();
        if (what == 7) require(address(this).balance > 0);
        if (what == 8) new Ledger();
        if (what == 9) { (bool done,) = msg.sender.call(abi.encodeWithSignature("balanceOf(address)", this)); require(done); }
        if (what == 10) used++;
        if (what == 11) { (bool done,) = address(ledger).staticcall{gas: 1000}(abi.encodeCall(ledger.total, ())); require(!done); }
        if (what == 12) ledger.mark();
        return 0;
    }
}
`

const ledger: Address = '0x1ed9e20000000000000000000000000000001234'
const recipient: Address = '0x00000000000000000000000000000000000a11ce'
const account: Address = '0xacc0000000000000000000000000000000001234'

let anvil: Anvil
let contracts: SmartAccountContracts
let network: TestNetwork

beforeAll(async () => {
  ;({ anvil, contracts } = await startChainWithAccounts())
  network = await startNetwork({ forkUrls: [anvil.url], chainId: 73_571n, userOperationRules: 'enforce' })
  const compiled = compileSource('Account.sol', source)
  for (const [address, name] of [
    [ledger, 'Ledger'],
    [account, 'Account'],
  ] as const)
    await network.rpc('dev_setCode', address, compiled[name]?.imported.deployedBytecode)
  await network.rpc('dev_setBalance', account, '1000000000000000000')
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

/** Sends an operation that does `what` while it is validated; answers the refusal. */
async function refusalOf(what: number): Promise<{ code: number; message: string } | undefined> {
  const paymaster = await network
    .rpc<object>('pm_getPaymasterData', { sender: account, nonce: '0x0' }, entryPoint07Address, '0x11f63')
    .catch(() => ({}))
  const nonce = (BigInt(what) << 64n).toString(16)
  const operation = {
    sender: account,
    nonce: `0x${nonce}`,
    callData: '0x',
    callGasLimit: '0x2710',
    verificationGasLimit: numberToHex(600_000),
    preVerificationGas: '0xea60',
    maxFeePerGas: numberToHex(20_000_000_000n),
    maxPriorityFeePerGas: '0x1',
    signature: `0x${what.toString(16).padStart(2, '0')}` as Hex,
    ...paymaster,
  }
  return network.rpc('eth_sendUserOperation', operation, entryPoint07Address).then(
    () => undefined,
    ({ cause }) => ({ code: cause.code, message: cause.message }),
  )
}

describe('where rules are enforced', () => {
  it.each([
    [1, 'OP-011', 'uses TIMESTAMP'],
    [2, 'STO-021', `reads slot 0x${'0'.repeat(64)} of ${ledger}`],
    [4, 'OP-041', 'accesses 0x000000000000000000000000000000000000dead, which has no code'],
    [5, 'OP-061', `sends ether to ${ledger}`],
    [6, 'OP-011', 'uses GAS'],
    [7, 'OP-080', 'uses SELFBALANCE'],
    [8, 'OP-011', 'uses CREATE'],
    [9, 'OP-054', 'calls 0x70a08231 of the entry point'],
    [11, 'OP-020', `runs out of gas in ${ledger}`],
    [12, 'STO-021', `writes slot 0x${'5'.padStart(64, '0')} of ${ledger}`],
  ])('refuses validation that does %i, by rule %s', async (what, rule, problem) => {
    const refusal = await refusalOf(what)
    expect(refusal?.code).toBe(-32502)
    expect(refusal?.message).toContain(`breaks rule ${rule} of ERC-7562: the account ${account} ${problem}`)
  })

  it.each([0, 3, 10])('accepts validation that uses only what is its own (%i)', async (what) => {
    expect(await refusalOf(what)).toBeUndefined()
  })

  it.each(versions)(
    'accepts an account of entry point %s that is created, and the paymaster of the network',
    async (version) => {
      const client = await simpleAccount(network, contracts, version, true)
      const hash = await client.sendUserOperation({ calls: [{ to: recipient }] })
      expect(await client.getUserOperationReceipt({ hash })).toMatchObject({ success: true })
    },
  )
})

it('finds operations after it was killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-'))
  const args = ['--fork-url', anvil.url, '--chain-id', '73571', '--data-dir', directory]
  const first = await startUnderstudy(args)
  const { client } = network
  const smart = await simpleAccount({ url: first.url, client }, contracts, '0.8', true)
  const hash = await smart.sendUserOperation({ calls: [{ to: recipient }] })
  await first.end('SIGKILL')
  const second = await startUnderstudy(args)
  try {
    expect(await postJsonRpc(second.url, 'eth_getUserOperationReceipt', [hash])).toMatchObject({ success: true })
  } finally {
    await second.end()
    rmSync(directory, { recursive: true })
  }
})
