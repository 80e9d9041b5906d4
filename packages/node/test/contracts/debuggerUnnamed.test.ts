import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompiledProject, compileProject } from '../compiledProject.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Value = { name: string; value: string | null; problem: string | null }
type Locals = { problem: string | null; entries: Value[] }

const path = 'contracts/Unnamed.sol'

/** The source as each compiler takes it. Lines end with `// NAME`, by which tests name them. */
function sourceFor(compiler: string): string {
  const minor = Number(/0\.(\d)/.exec(compiler)?.[1] ?? 8)
  return `// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Base {
    uint256 public level;

    modifier scaled(uint256 factor) {
        uint256 other = factor + level; // scales
        _;
        level += other; // scaled
    }

    ${minor < 6 ? 'function()' : 'fallback()'} external payable scaled(9) {
        uint256 given = msg.value;
        level = twice(given); // falls
    }

    function twice(uint256 number) internal pure returns (uint256) {
        return number * 2; // doubles
    }
}

contract Derived is Base {
    ${minor < 6 ? '' : 'receive() external payable scaled(7) { uint256 got = msg.value; level = got; } // receives'}
}

contract Alone {
    uint256 internal level;
    ${minor < 6 ? 'function()' : minor < 8 ? 'fallback()' : 'fallback(bytes calldata data)'} external ${minor < 8 ? '' : 'returns (bytes memory result)'} {
        uint8 small = 3;
        level = small; // keeps
    }
}
${
  minor < 6
    ? ''
    : `
contract Catching {
    function fail(uint256 kind) external pure returns (uint256 number, string memory text, int8 minus) {
        uint256[] memory list = new uint256[](1);
        if (kind == 1) revert("because");
        if (kind == 2) list[kind] = 1;
        if (kind == 3) assembly { mstore(0, 0xabcdef) revert(29, 3) }
        return (kind + 5, "fine", -2);
    }

    function run(uint256 kind) external view returns (uint256 out) {
        uint256 before = kind + 1;
        try this.fail(kind) returns (uint256 number, string memory text, int8 minus) {
            uint256 inside = number + bytes(text).length;
            out = inside + uint256(int256(minus) + 3); // succeeds
        } catch Error(string memory reason) {
            uint256 size = bytes(reason).length;
            out = size; // catches
        }${minor < 8 ? '' : ' catch Panic(uint256 code) {\n            out = code; // panics\n        }'} catch (bytes memory data) {
            uint256 size = data.length;
            out = size; // otherwise
        }
        uint256 last = before;
        out += last; // ends
    }

    function ignore(uint256 kind) external view returns (uint256 out) {
        try this.fail(kind) {
            uint256 done = 1;
            out = done; // ignores
        } catch Error(string memory) {
            uint256 named = 3;
            out = named; // unnamed
        } catch {
            uint256 failed = 2;
            out = failed; // drops
        }
    }
}
`
}`
}

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
}, 60_000)
afterAll(() => network.stop())

let source: string
let project: CompiledProject
let id: string | undefined

async function deploy(name: string): Promise<Hex> {
  const { abi, bytecode } = project.deployable(name)
  const hash = await network.client.deployContract({ abi, bytecode } as never)
  return (await network.client.getTransactionReceipt({ hash })).contractAddress as Hex
}
const open = async (call: { to: Hex; data?: Hex; value?: bigint }) => {
  const { to, data = '0x', value = 0n } = call
  const from = network.client.account.address
  if (id) await network.rpc('dev_debugClose', id)
  id = (await network.rpc<{ id: string }>('dev_debugOpen', { from, to, data, value: numberToHex(value) })).id
}
async function locals(name: string, options: object = {}): Promise<unknown> {
  const line = source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
  if (name)
    expect(await network.rpc('dev_debugStep', id, { lines: [{ file: path, line }] })).toMatchObject({ reason: 'line' })
  const { problem, entries } = (await network.rpc<{ locals: Locals }>('dev_debugVariables', id, options)).locals
  return problem ?? Object.fromEntries(entries.map((each) => [each.name, each.problem ?? each.value]))
}

const compilers = ['solc-0.5.16', 'solc-0.6.6', 'solc-0.8.24', 'solc']
describe.each(compilers)('variables of code by %s', (compiler) => {
  beforeAll(async () => {
    source = sourceFor(compiler)
    project = await compileProject({ [path]: source }, {}, undefined, compiler)
    await network.rpc('dev_importContracts', { contracts: project.contracts })
  }, 120_000)

  // With the selector of no function, which the compiler leaves on the stack, and with too little data for one.
  it.each(['0x12345678', '0x12'] as const)(
    'are known in fallback functions that get %s',
    async (data) => {
      for (const name of ['Base', 'Derived']) {
        await open({ to: await deploy(name), data, value: 5n })
        expect(await locals('scales')).toEqual({ factor: '9' })
        expect(await locals('falls')).toEqual({ given: '5' })
        expect(await locals('doubles')).toMatchObject({ number: '5' })
        expect(await locals('', { level: 1 })).toEqual({ given: '5' })
        expect(await locals('scaled')).toEqual({ factor: '9', other: '9' })
      }
      await open({ to: await deploy('Alone'), data })
      const own = compiler.includes('0.5') || compiler.includes('0.6') ? {} : { data, result: '0x' }
      expect(await locals('keeps')).toEqual({ ...own, small: '3' })
    },
    60_000,
  )

  it('are known in receive functions, or the fallback function instead', async () => {
    await open({ to: await deploy('Base'), value: 5n })
    expect(await locals('falls')).toEqual({ given: '5' })
    if (compiler.includes('0.5')) return
    await open({ to: await deploy('Derived'), value: 5n })
    expect(await locals('receives')).toEqual({})
    expect(await locals('scaled')).toEqual({ factor: '7', other: '7' })
  }, 60_000)

  it.skipIf(compiler.includes('0.5'))(
    'are known in each clause of a try statement, and after it',
    async () => {
      const to = await deploy('Catching')
      const { abi } = project.deployable('Catching')
      const call = (functionName: string, kind: bigint) =>
        open({ to, data: encodeFunctionData({ abi, functionName, args: [kind] }) })
      const hasPanics = !compiler.includes('0.6')
      const cases = [
        ['succeeds', { number: '5', text: 'fine', minus: '-2', inside: '9' }, 'ignores', { done: '1' }],
        ['catches', { reason: 'because', size: '7' }, 'unnamed', { named: '3' }],
        hasPanics
          ? ['panics', { code: '50' }, 'drops', { failed: '2' }]
          : ['otherwise', { data: '0x', size: '0' }, 'drops', { failed: '2' }],
        ['otherwise', { data: '0xabcdef', size: '3' }, 'drops', { failed: '2' }],
      ] as const
      for (const [at, [clause, values, unnamedClause, unnamedValues]] of cases.entries()) {
        const kind = String(at)
        await call('run', BigInt(at))
        expect(await locals(clause)).toEqual({ kind, out: '0', before: String(at + 1), ...values })
        expect(await locals('ends')).toMatchObject({ kind, before: String(at + 1), last: String(at + 1) })
        await call('ignore', BigInt(at))
        expect(await locals(unnamedClause)).toEqual({ kind, out: '0', ...unnamedValues })
      }
    },
    60_000,
  )
})
