import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// Biome checks the same of TypeScript; it does not read AssemblyScript.

const assembly = fileURLToPath(new URL('../packages/evm/assembly', import.meta.url))
const most = { linesOfFile: 400, linesOfFunction: 150 }

const sources = readdirSync(assembly, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, lines: readFileSync(join(assembly, name), 'utf8').trimEnd().split('\n') }))

it('has no file of the engine that is too long, but the interpreter', () => {
  const long = sources.filter(({ lines }) => lines.length > most.linesOfFile)
  expect(long.map(({ name }) => name)).toEqual(['interpreter.ts'])
})

it('has no function of the engine that is too long, but `interpret`', () => {
  const long: string[] = []
  for (const { lines } of sources)
    for (const [from, line] of lines.entries()) {
      const name = /^(?:export )?function (\w+)/.exec(line)?.[1]
      if (name && lines.indexOf('}', from) - from >= most.linesOfFunction) long.push(name)
    }
  expect(long).toEqual(['interpret'])
})
