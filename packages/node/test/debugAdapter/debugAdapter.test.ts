import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command, createFoundryProject, type FoundryProject } from '@understudy/testkit'
import { type Address, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { requestArguments } from '../../src/cli/debug/requests.ts'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { Editor } from './editor.ts'

/** Lines end with `// NAME`, by which tests name them. */
const files = {
  'src/Counted.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

abstract contract Counted {
    uint256 public calls;

    function count() internal {
        calls += 1; // adds
    }
}
`,
  'src/Shares.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Shares {
    function part(uint256 amount, uint256 percent) internal pure returns (uint256) {
        return amount * percent / 100; // share
    }
}
`,
  'src/Vault.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Counted} from "./Counted.sol";
import {Shares} from "./Shares.sol";

contract Guard {
    error TooMuch(uint256 total);

    function check(uint256 total) external pure {
        if (total > 1000) revert TooMuch(total); // limit
    }
}

contract Vault is Counted {
    struct Last {
        address by;
        uint64 amount;
    }

    Guard guard = new Guard();
    mapping(address => uint256) public balances;
    uint256 public total;
    Last public last;
    uint256[] public amounts;

    function deposit(uint256 amount) external {
        count(); // counts

        uint256 share = Shares.part(amount, 50); // shares
        balances[msg.sender] += share; // balance
        total += share; // total
        last = Last(msg.sender, uint64(amount)); // last
        amounts.push(amount); // list
        guard.check(total); // checks
    }

    function reset() external {
        total = 0; // resets
    }
}
`,
}
type File = keyof typeof files
const lineOf = (file: File, name: string) =>
  files[file].split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
const abi = parseAbi(['function deposit(uint256)', 'function reset()'])
const file = 'src/Vault.sol'

let network: TestNetwork
let project: FoundryProject
let vault: Address
let first: Hex
beforeAll(async () => {
  ;[network, project] = await Promise.all([startNetwork(), createFoundryProject(files)])
  expect(await project.run('forge', 'build', '--build-info', '--extra-output', 'storageLayout')).toContain(
    'run successful',
  )
  const environment = { UNDERSTUDY_RPC_URL: network.url }
  const pushed = await runCommand(['push', '--storage-layout'], project.directory, environment).ended
  expect([pushed.code, pushed.stderr]).toEqual([0, ''])
  const key = `0x${'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'}`
  const sending = ['--rpc-url', network.url, '--private-key', key, '--broadcast']
  const printed = await project.run('forge', 'create', 'src/Vault.sol:Vault', ...sending)
  vault = /Deployed to: (0x[\da-fA-F]{40})/.exec(printed)?.[1] as Address
  first = await deposit(100n)
}, 120_000)
afterAll(async () => {
  await network?.stop()
  await project?.stop()
})

let editor: Editor
afterEach(() => editor?.stop())

const send = (functionName: 'deposit' | 'reset', args: readonly bigint[]) =>
  network.client.writeContract({ address: vault, abi, functionName, args, gas: 500_000n } as never)
const deposit = (amount: bigint) => send('deposit', [amount])

/** Opens an editor on a transaction; it runs in the folder of the project. */
const open = (transaction: Hex, directory = project.directory) => {
  editor = new Editor([transaction, '--rpc-url', network.url], directory)
  return editor
}
const pathOf = (name: string) => join(project.directory, name)
const setLines = async (name: File, ...lines: number[]) =>
  (
    await editor.setBreakpointsRequest({
      source: { path: pathOf(name) },
      breakpoints: lines.map((line) => ({ line })),
    })
  ).body.breakpoints
/** The name of the line where it is. */
async function here(): Promise<string | undefined> {
  const [top] = await editor.stack()
  const content = Object.entries(files).find(([name]) => top?.source?.path === pathOf(name))?.[1]
  return / \/\/ (\w+)$/.exec(content?.split('\n')[(top?.line ?? 0) - 1] ?? '')?.[1]
}

describe('a debug adapter', () => {
  it('steps over, in, out and back through the lines of the project', async () => {
    const { reason } = await open(first).begin()
    expect([reason, await here()]).toEqual(['entry', 'counts'])
    await editor.go('stepIn')
    expect(await here()).toBe('adds')
    const shown = (await editor.stack()).map(({ name, line, source }) => [name, line, source?.path])
    expect(shown).toEqual([
      ['Counted.count', lineOf('src/Counted.sol', 'adds'), pathOf('src/Counted.sol')],
      ['Vault.deposit', lineOf(file, 'counts'), pathOf(file)],
    ])
    await editor.go('stepOut')
    const names = [await here()]
    for (let each = 0; each < 6; each++) {
      await editor.go('next')
      names.push(await here())
    }
    expect(names).toEqual(['counts', 'shares', 'balance', 'total', 'last', 'list', 'checks'])
    for (let each = 0; each < 3; each++) await editor.go('stepBack')
    expect(await here()).toBe('total')
    await editor.go('restart')
    expect(await here()).toBe('counts')
  })

  it('stops at lines, forwards and back, and says where it cannot', async () => {
    const lines = ['counts', 'total', 'resets'].map((name) => lineOf(file, name)) as [number, number, number]
    const { reason } = await open(first).begin({ stopOnEntry: false }, async () => {
      // An empty line moves to the next one with code.
      const set = await setLines(file, lines[0] + 1, lines[1], lines[2], 999)
      expect(set.map(({ verified, line, message }) => [verified, line, message])).toEqual([
        [true, lineOf(file, 'shares'), undefined],
        [true, lines[1], undefined],
        [false, lines[2], expect.stringContaining('does not come to line')],
        [false, 999, expect.stringContaining('no code at or after')],
      ])
      const [share] = await setLines('src/Shares.sol', lineOf('src/Shares.sol', 'share'))
      expect(share?.verified).toBe(true)
      const other = { source: { path: pathOf('src/Other.sol') }, breakpoints: [{ line: 3 }] }
      const [unknown] = (await editor.setBreakpointsRequest(other)).body.breakpoints
      expect([unknown?.verified, unknown?.message]).toEqual([false, expect.stringContaining('No contract that runs')])
    })
    expect([reason, await here()]).toEqual(['breakpoint', 'shares'])
    const stops = []
    for (let each = 0; each < 3; each++) stops.push([(await editor.go('continue')).reason, await here()])
    expect(stops).toEqual([
      ['breakpoint', 'share'],
      ['breakpoint', 'total'],
      ['end', undefined],
    ])
    expect([(await editor.go('reverseContinue')).reason, await here()]).toEqual(['breakpoint', 'total'])
    await setLines(file)
    expect((await editor.go('continue')).description).toBe('End: it succeeded')
    await Promise.all([editor.waitForEvent('terminated'), editor.continueRequest({ threadId: 1 })])
  })

  it('shows arguments and state variables at each step, and evaluates expressions', async () => {
    await open(await deposit(40n)).begin({}, () => setLines(file, lineOf(file, 'checks')))
    const total = async () => (await editor.scope('State variables')).get('total')?.value
    const before = await total()
    expect((await editor.scope('Local variables')).get('amount')).toMatchObject({ value: '40', type: 'uint256' })
    await editor.go('stepIn')
    expect(await here()).toBe('adds')
    expect([...(await editor.scope('Local variables', 1)).keys()]).toContain('amount')
    await editor.go('continue')
    expect(Number(await total())).toBe(Number(before) + 20)
    expect((await editor.scope('Local variables')).get('share')?.value).toBe('20')
    const state = await editor.scope('State variables')
    expect((await editor.parts(state.get('last') as never)).get('amount')?.value).toBe('40')
    expect((await editor.parts(state.get('amounts') as never)).get('[0]')?.value).toBe('100')
    const evaluate = async (expression: string) =>
      (await editor.evaluateRequest({ expression, frameId: 1, context: 'hover' })).body.result
    expect(await evaluate('amount')).toBe('40')
    expect(await evaluate('last.amount')).toBe('40')
    expect(await evaluate(`balances[${network.client.account.address}]`)).toBe(await total())
    await expect(evaluate('nothing')).rejects.toThrow(/nothing/)
    expect((await editor.scope('Call')).get('contract')?.value).toBe('Vault')
    expect((await editor.scope('Machine')).get('operation')?.value).toMatch(/^\d+: [A-Z]/)
  })

  it('stops before writes of a variable, and says which values it cannot watch', async () => {
    await open(first).begin()
    const frameId = (await editor.stack())[0]?.id as number
    const { scopes } = (await editor.scopesRequest({ frameId })).body
    const { variablesReference } = scopes.find(({ name }) => name === 'State variables') as (typeof scopes)[number]
    await editor.variablesRequest({ variablesReference })
    const infoOf = async (name: string) => (await editor.dataBreakpointInfoRequest({ variablesReference, name })).body
    expect(await infoOf('balances')).toMatchObject({
      dataId: null,
      description: expect.stringContaining('one storage'),
    })
    const { dataId } = await infoOf('total')
    const set = await editor.setDataBreakpointsRequest({ breakpoints: [{ dataId: dataId as string }, { dataId: 'x' }] })
    expect(set.body.breakpoints.map(({ verified }) => verified)).toEqual([true, false])
    expect([(await editor.go('continue')).reason, await here()]).toEqual(['data breakpoint', 'total'])
    const total = async () => (await editor.evaluateRequest({ expression: 'total', frameId: 1 })).body.result
    expect(await total()).toBe('0')
    await editor.go('stepIn', { threadId: 1, granularity: 'instruction' })
    expect(await total()).toBe('50')
    const [name] = [...(await editor.scope('Storage written')).keys()]
    expect(name?.toLowerCase()).toContain(vault.toLowerCase())
    expect((await editor.go('continue')).reason).toBe('end')
    expect([(await editor.go('reverseContinue')).reason, await total()]).toEqual(['data breakpoint', '0'])
  })

  it('stops where a call fails, with its reason', async () => {
    const failed = await deposit(5000n)
    const stop = await open(failed).begin({ stopOnEntry: false }, () =>
      editor.setExceptionBreakpointsRequest({ filters: ['failures'] }),
    )
    expect(stop).toMatchObject({ reason: 'exception', text: expect.stringMatching(/^TooMuch\(\d+\)$/) })
    expect(await here()).toBe('limit')
    const info = await editor.exceptionInfoRequest({ threadId: 1 })
    expect(info.body).toMatchObject({ exceptionId: 'revert', description: stop.text })
    expect((await editor.go('continue')).reason).toBe('exception')
    expect(await here()).toBe('checks')
    await Promise.all([editor.waitForEvent('terminated'), editor.nextRequest({ threadId: 1 })])
    await editor.setExceptionBreakpointsRequest({ filters: ['calls'] })
    await editor.go('restart')
    const call = { reason: 'breakpoint', description: 'Before a call of a contract' }
    expect(await editor.go('continue')).toMatchObject(call)
    expect(await here()).toBe('checks')
    await editor.setExceptionBreakpointsRequest({ filters: [] })
    await editor.go('restart')
    expect((await editor.go('continue')).description).toMatch(/^End: TooMuch/)
  })

  it('steps through operations and lists those around', async () => {
    await open(first).begin()
    const at = async () => Number((await editor.stack())[0]?.instructionPointerReference)
    const start = await at()
    await editor.go('next', { threadId: 1, granularity: 'instruction' })
    await editor.go('next', { threadId: 1, granularity: 'instruction' })
    expect(await at()).toBe(start + 2)
    await editor.go('stepBack', { threadId: 1, granularity: 'instruction' })
    expect(await at()).toBe(start + 1)
    const list = async (instructionOffset: number) =>
      (await editor.send('disassemble', { memoryReference: String(start), instructionOffset, instructionCount: 4 }))
        .body.instructions as { address: string; instruction: string; presentationHint?: string }[]
    const around = await list(-1)
    expect(around.map(({ address }) => Number(address))).toEqual([start - 1, start, start + 1, start + 2])
    expect(around.every(({ instruction }) => /^[A-Z]+\d*$/.test(instruction))).toBe(true)
    const outside = await list(-start - 2)
    expect(outside.map(({ presentationHint }) => presentationHint)).toEqual([
      'invalid',
      'invalid',
      undefined,
      undefined,
    ])
  })

  it('shows the sources of the network where the folder has others, or none', async () => {
    const edited = files[file].replace('total += share', 'total -= share')
    writeFileSync(pathOf(file), edited)
    rmSync(pathOf('src/Shares.sol'))
    rmSync(pathOf('src/Counted.sol'))
    try {
      await open(first).begin({}, async () => {
        const [set] = await setLines('src/Shares.sol', lineOf('src/Shares.sol', 'share'))
        expect(set?.verified).toBe(true)
      })
      const contentOf = async (frame: number) => {
        const source = (await editor.stack())[frame]?.source
        const sourceReference = source?.sourceReference ?? 0
        return (await editor.sourceRequest({ source, sourceReference } as never)).body.content
      }
      await editor.go('stepIn')
      // An abstract contract has no code of its own, so it is not pushed.
      await expect(contentOf(0)).rejects.toThrow(/the network does not have this file/)
      await editor.go('continue')
      expect([await contentOf(0), await contentOf(1)]).toEqual([files['src/Shares.sol'], files[file]])
    } finally {
      for (const [name, content] of Object.entries(files)) writeFileSync(pathOf(name), content)
    }
  })

  it('finds the project of an editor that was started elsewhere, and counts lines as the editor does', async () => {
    editor = new Editor([], '/')
    await editor.initializeRequest({ adapterID: 'other', linesStartAt1: false, columnsStartAt1: false })
    const launch = { transaction: first, rpcUrl: network.url, stopOnEntry: false }
    await Promise.all([editor.waitForEvent('initialized'), editor.launchRequest(launch as never)])
    const wanted = lineOf(file, 'total') - 1
    const [set] = await setLines(file, wanted)
    expect(set).toMatchObject({ verified: true, line: wanted })
    await editor.go('configurationDone')
    expect((await editor.stack())[0]).toMatchObject({ line: wanted, column: 0, source: { path: pathOf(file) } })
  })

  it('goes on where it was when the network has closed its session, as long as it has the transaction', async () => {
    const before = await network.rpc('evm_snapshot')
    const hash = await deposit(2n)
    await open(hash).begin()
    await editor.go('next')
    const after = await network.rpc('evm_snapshot')
    await network.rpc('evm_revert', after)
    await editor.go('next')
    expect(await here()).toBe('balance')
    await network.rpc('evm_revert', before)
    const ended = editor.waitForEvent('terminated')
    await expect(editor.nextRequest({ threadId: 1 })).rejects.toThrow(/the debug session ended, and cannot be opened/)
    await ended
  })

  it('says what is wrong', async () => {
    const launch = async (args: string[], given: object = {}) => {
      editor = new Editor(args, project.directory)
      await editor.initializeRequest()
      try {
        return await editor.launchRequest(given as never).then(
          () => 'opened',
          (error: Error) => error.message,
        )
      } finally {
        await editor.stop()
      }
    }
    const unknown = `0x${'12'.repeat(32)}`
    expect(await launch([unknown, '--rpc-url', network.url])).toMatch(/transaction not found: 0x1212/)
    expect(await launch([first, '--rpc-url', 'http://127.0.0.1:9'])).toMatch(/no network answers at .*--rpc-url/)
    expect(await launch(['--rpc-url', network.url])).toMatch(/which transaction\?/)
    expect(await launch([], { transaction: '0x12' })).toMatch(/launch: transaction: expected the hash/)
    editor = new Editor([first, '--rpc-url', network.url], project.directory)
    await editor.initializeRequest()
    await expect(editor.stackTraceRequest({ threadId: 1 })).rejects.toThrow(/no transaction is open/)
    await expect(editor.send('toString', {})).rejects.toThrow(/toString is not supported/)
  })

  it('debugs calls, and goes through operations where no lines are known', async () => {
    const code = '0x60005460010160005500' // storage[0] += 1
    await network.rpc('dev_setCode', `0x${'7a'.repeat(20)}`, code)
    editor = new Editor(['--rpc-url', network.url], project.directory)
    const told = editor.waitForEvent('output')
    await editor.begin({ call: { to: `0x${'7a'.repeat(20)}` } })
    expect((await told).body.output).toMatch(/No contract that runs is known with its lines.*understudy push/)
    expect((await editor.stack())[0]).toMatchObject({ name: `0x${'7a'.repeat(20)}`, line: 0 })
    await editor.go('next', { threadId: 1, granularity: 'instruction' })
    expect((await editor.scope('Machine')).get('operation')?.value).toBe('1: SLOAD')
  })

  it('ends with an error on input that is no message, and writes nothing but messages', async () => {
    for (const [input, problem] of [
      ['Content-Length: 999999999\r\n\r\n{', /Content-Length of at most/],
      [`${'x'.repeat(5000)}`, /expected a message/],
      ['Content-Length: 2\r\n\r\n{]', /JSON/],
    ] as const) {
      editor = new Editor([first, '--rpc-url', network.url], project.directory)
      let written = ''
      editor.process.stdout?.on('data', (text) => {
        written += text
      })
      editor.process.stdin?.write(input)
      const [code] = await once(editor.process, 'close')
      expect([code, written, editor.errors]).toEqual([1, '', expect.stringMatching(problem)])
    }
  })

  it('is declared to VS Code with its fields', () => {
    const folder = new URL('../../../../clients/vscode/', import.meta.url)
    const [debug] = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).contributes.debuggers
    expect(fileURLToPath(new URL(debug.program, folder))).toBe(command)
    const { properties } = debug.configurationAttributes.launch
    expect(Object.keys(properties).sort()).toEqual(Object.keys(requestArguments.launch.shape).sort())
  })

  it('ends when the editor is gone', async () => {
    await open(first).begin()
    const ended = once(editor.process, 'close')
    editor.process.stdin?.end()
    expect([(await ended)[0], editor.errors]).toEqual([0, ''])
  })
})
