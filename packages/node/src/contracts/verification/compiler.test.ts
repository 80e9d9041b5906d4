import { createRequire } from 'node:module'
import { sourcesOf20MiB, sourcesOf1400MiB, sourcesWithLongNames } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { type CompilerBounds, compilerBounds, createCompiler } from './compiler.ts'

const solc = createRequire(import.meta.url)('solc') as { version(): string }
const version = /^\d+\.\d+\.\d+\+commit\.[\da-f]+/.exec(solc.version())?.[0] ?? ''
const file = new URL('../../../dist/contracts/verification/solcThread.js', import.meta.url)

const compile = (sources: Record<string, { content: string }>, bounds: Partial<CompilerBounds> = {}, name = 'A') =>
  createCompiler({ clock: systemClock, file, bounds: { ...compilerBounds, ...bounds } }).compile({
    input: { language: 'Solidity', sources },
    sourcePath: 'a.sol',
    name,
    version,
  })

it('answers what is wanted of the output, with the lines', async () => {
  const compiled = await compile(sourcesWithLongNames(10, 3))
  expect(compiled).toMatchObject({
    abi: expect.stringContaining('"name":"f"'),
    creation: { object: expect.stringMatching(/^[\da-f]+$/) },
    deployed: { object: expect.stringMatching(/^[\da-f]+$/) },
    storageLayout: { storage: [{ label: 's' }] },
    lines: { files: ['a.sol'], functions: ['A.f'] },
  })
  expect(JSON.stringify(compiled)).not.toContain('nodeType')
})

it.each<[what: string, sources: Record<string, { content: string }>, bounds: Partial<CompilerBounds>, limit: number]>([
  ['the output of the compiler in characters', sourcesOf20MiB, {}, 16 * 1024 * 1024],
  // It is refused memory while it works, and throws.
  ['the memory of a compilation in MB', sourcesOf20MiB, { memoryMb: 40 }, 40],
  // It is refused memory for its output, and answers an error instead.
  ['the memory of a compilation in MB', sourcesOf1400MiB, {}, 1024],
  ['the heap of a compilation in MB', sourcesOf20MiB, { heapMb: 4 }, 4],
  ['a compilation in milliseconds', sourcesOf1400MiB, { timeoutMs: 100 }, 100],
])(
  'that exceeds %s is refused',
  async (what, sources, bounds, limit) => {
    await expect(compile(sources, bounds)).rejects.toMatchObject({
      kind: 'LIMIT_EXCEEDED',
      details: { what, limit },
    })
  },
  90_000,
)

it('of sources that do not compile, or have no such contract, says so', async () => {
  await expect(compile({ 'a.sol': { content: 'contract A {' } })).rejects.toMatchObject({
    kind: 'INVALID_PARAMS',
    message: expect.stringMatching(/they do not compile: ParserError/),
  })
  await expect(compile(sourcesWithLongNames(1, 1), {}, 'B')).rejects.toMatchObject({
    kind: 'INVALID_PARAMS',
    message: expect.stringContaining('the sources have no a.sol:B'),
  })
})
