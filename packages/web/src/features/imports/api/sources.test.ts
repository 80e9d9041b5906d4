import { expect, it } from 'vitest'
import { readSources } from './sources.ts'

const file = (path: string, text: string) => ({ path, file: new File([text], path) })

it('finds a source by the path that the artifact names, wherever its folder was dropped from', async () => {
  const textOf = await readSources([
    file('/project/src/Counter.sol', 'contract Counter {}'),
    file('/project/out/Counter.sol/Counter.json', '{}'),
  ])
  expect(textOf('src/Counter.sol')).toBe('contract Counter {}')
  expect(textOf('Other.sol')).toBeUndefined()
})

it("reads Hardhat's build infos, and goes on when one is broken", async () => {
  const input = { sources: { 'project/contracts/A.sol': { content: 'contract A {}' }, 'b.sol': { urls: [] } } }
  const textOf = await readSources([
    file('artifacts/build-info/1.json', '{'),
    file('artifacts/build-info/2.json', JSON.stringify({ input })),
  ])
  expect(textOf('contracts/A.sol')).toBe('contract A {}')
  expect(textOf('b.sol')).toBeUndefined()
})

it('leaves out what is too much to push', async () => {
  const textOf = await readSources([file('/a.sol', ' '.repeat(15_000_000))])
  expect(textOf('a.sol')).toHaveLength(15_000_000)
  expect(textOf('a.sol')).toBeUndefined()
})
