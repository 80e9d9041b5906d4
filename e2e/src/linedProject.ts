import { createRequire } from 'node:module'
import { lineTableOf, SyntaxTrees } from '@understudy/client/artifacts'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { SampleNetwork } from './startSampleNetwork.ts'

type Code = { object: string; sourceMap: string }
type Output = {
  sources: Record<string, { id: number; ast: object }>
  contracts: Record<
    string,
    Record<string, { abi: Abi; storageLayout: object; evm: { bytecode: Code; deployedBytecode: Code } }>
  >
}

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
const path = 'src/Vault.sol'

/** `extra` is what the function that credits a deposit does besides. */
const sourceOf = (extra: string) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Ledger {
    mapping(address => uint256) public balances;
    uint256 public total;

    function credit(address to, uint256 amount) external returns (uint256) {
        balances[to] += amount;
        total += amount;
        return total;
    }
}

contract Vault {
    Ledger public ledger = new Ledger();
    uint256[] public entries;
    uint256 public last;

    function deposit(uint256 amount) external {
        uint256 fee = feeOf(amount);
        record(amount - fee);
        ledger.credit(msg.sender, amount - fee);
    }

    function feeOf(uint256 amount) internal pure returns (uint256) {
        return (amount * 3) / 1000;
    }

    function record(uint256 amount) internal {${extra}
        entries.push(amount);
        last = amount;
    }

    function clear() external {
        delete entries;
        last = 0;
    }

    function withdraw(uint256 amount) external {
        take(amount);
    }

    function take(uint256 amount) internal {
        require(amount <= last, "Vault: not as much is left");
        last -= amount;
    }
}
`

/**
 * A contract that is imported with its lines, and what was sent to it: two versions, of which the second costs more. `failed`: a
 * withdrawal of too much.
 */
export async function linedProject({
  rpc,
}: SampleNetwork): Promise<{ vault: Hex; deposit: Hex; other: Hex; clear: Hex; failed: Hex }> {
  const [from] = await rpc<Hex[]>('eth_accounts')
  const receiptOf = (hash: Hex) => rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)

  async function release(extra: string) {
    const source = sourceOf(extra)
    const input = {
      language: 'Solidity',
      sources: { [path]: { content: source } },
      settings: {
        outputSelection: {
          '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] },
        },
      },
    }
    const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
    const sources = new Map([[output.sources[path]?.id ?? 0, { path, content: source }]])
    const trees = new Map(Object.values(output.sources).map(({ id, ast }) => [id, ast]))
    const contracts = Object.entries(output.contracts[path] ?? {}).map(([name, { abi, evm, storageLayout }]) => ({
      ...{ name, abi: JSON.stringify(abi), sourcePath: path, source, storageLayout },
      bytecode: `0x${evm.deployedBytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      creationBytecode: `0x${evm.bytecode.object}`,
      lines: lineTableOf(
        { runtime: evm.deployedBytecode.sourceMap, creation: evm.bytecode.sourceMap },
        sources,
        new Map(),
        { trees: new SyntaxTrees(trees), code: 'plain' },
      ),
    }))
    await rpc('dev_importContracts', { contracts })
    const compiled = output.contracts[path]?.Vault
    if (!compiled) throw new Error('It does not compile')
    const { abi, evm } = compiled
    const created = await rpc<Hex>('eth_sendTransaction', { from, data: `0x${evm.bytecode.object}`, gas: '0x300000' })
    const to = (await receiptOf(created)).contractAddress
    const send = (functionName: string, args: unknown[] = []) =>
      rpc<Hex>('eth_sendTransaction', {
        from,
        to,
        data: encodeFunctionData({ abi, functionName, args }),
        gas: '0x80000',
      })
    return { to, send }
  }

  const first = await release('')
  for (const amount of [1000n, 2000n]) await first.send('deposit', [amount])
  const deposit = await first.send('deposit', [3000n])
  const clear = await first.send('clear')
  const second = await release('\n        for (uint256 i = 1; i < 20; i++) last = i;')
  await second.send('deposit', [1000n])
  const other = await second.send('deposit', [2000n])
  const failed = await second.send('withdraw', [5000n])
  return { vault: second.to, deposit, other, clear, failed }
}
