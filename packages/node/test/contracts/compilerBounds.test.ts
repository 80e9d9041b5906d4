import { createRequire } from 'node:module'
import { artifacts, deployContract } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompilerBounds, compilerBounds, createCompiler } from '../../src/contracts/verification/compiler.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const solc = createRequire(import.meta.url)('solc') as { version(): string }
const version = /^\d+\.\d+\.\d+\+commit\.[\da-f]+/.exec(solc.version())?.[0] ?? ''
const file = new URL('../../dist/contracts/verification/solcThread.js', import.meta.url)

/** Sources whose syntax tree names a type of `long` characters for each of `uses` expressions of two characters. */
function sourcesOf(long: number, uses: number) {
  const name = 'L'.repeat(long)
  return {
    'a.sol': {
      content: `import {${name} as S} from "b.sol"; contract A { S[] s; function f() public { ${'s;'.repeat(uses)} } }`,
    },
    'b.sol': { content: `struct ${name} { uint a; }` },
  }
}
const outputOf20MiB = sourcesOf(20_000, 500)
const memoryOf1400MiB = sourcesOf(40_000, 4000)

describe('a compilation', () => {
  const compile = (sources: Record<string, { content: string }>, bounds: Partial<CompilerBounds> = {}, name = 'A') =>
    createCompiler({ clock: systemClock, file, bounds: { ...compilerBounds, ...bounds } }).compile({
      input: { language: 'Solidity', sources },
      sourcePath: 'a.sol',
      name,
      version,
    })

  it('answers what is wanted of the output, with the lines', async () => {
    const compiled = await compile(sourcesOf(10, 3))
    expect(compiled).toMatchObject({
      abi: expect.stringContaining('"name":"f"'),
      creation: { object: expect.stringMatching(/^[\da-f]+$/) },
      deployed: { object: expect.stringMatching(/^[\da-f]+$/) },
      storageLayout: { storage: [{ label: 's' }] },
      lines: { files: ['a.sol'], functions: ['A.f'] },
    })
    expect(JSON.stringify(compiled)).not.toContain('nodeType')
  })

  it.each<[what: string, sources: Record<string, { content: string }>, bounds: Partial<CompilerBounds>, limit: number]>(
    [
      ['the output of the compiler in characters', outputOf20MiB, {}, 16 * 1024 * 1024],
      // It is refused memory while it works, and throws.
      ['the memory of a compilation in MB', outputOf20MiB, { memoryMb: 40 }, 40],
      // It is refused memory for its output, and answers an error instead.
      ['the memory of a compilation in MB', memoryOf1400MiB, {}, 1024],
      ['the heap of a compilation in MB', outputOf20MiB, { heapMb: 4 }, 4],
      ['a compilation in milliseconds', memoryOf1400MiB, { timeoutMs: 100 }, 100],
    ],
  )('that exceeds %s is refused', async (what, sources, bounds, limit) => {
    await expect(compile(sources, bounds)).rejects.toMatchObject({
      kind: 'LIMIT_EXCEEDED',
      details: { what, limit },
    })
  })

  it('of sources that do not compile, or have no such contract, says so', async () => {
    await expect(compile({ 'a.sol': { content: 'contract A {' } })).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: expect.stringMatching(/they do not compile: ParserError/),
    })
    await expect(compile(sourcesOf(1, 1), {}, 'B')).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: expect.stringContaining('the sources have no a.sol:B'),
    })
  })
})

describe('a network that is asked to verify hostile sources', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork()
  })
  afterAll(() => network.stop())

  it('refuses them by name, and serves others while they are compiled', async () => {
    const address = await deployContract(network.client, artifacts.Counter, [1n])
    const submit = async (sources: object) => {
      const response = await fetch(`${network.url}/sourcify/v2/verify/31337/${address}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          stdJsonInput: { language: 'Solidity', sources },
          compilerVersion: version,
          contractIdentifier: 'a.sol:A',
        }),
      })
      return ((await response.json()) as { verificationId: string }).verificationId
    }
    const jobOf = async (id: string) =>
      (await (await fetch(`${network.url}/sourcify/v2/verify/${id}`)).json()) as {
        isJobCompleted: boolean
        error?: { message: string }
      }
    const ids = [await submit(outputOf20MiB), await submit(memoryOf1400MiB)]
    let served = 0
    const jobs = await eventually(
      async () => {
        await network.client.writeContract({ address, abi: artifacts.Counter.abi, functionName: 'increment' })
        served++
        return Promise.all(ids.map(jobOf))
      },
      (all) => all.every(({ isJobCompleted }) => isJobCompleted),
    )
    expect(jobs.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('the output of the compiler in characters'),
      expect.stringContaining('the memory of a compilation in MB'),
    ])
    expect(served).toBeGreaterThan(10)
    expect(await network.client.readContract({ address, abi: artifacts.Counter.abi, functionName: 'number' })).toBe(
      BigInt(1 + served),
    )
  }, 90_000)
})
