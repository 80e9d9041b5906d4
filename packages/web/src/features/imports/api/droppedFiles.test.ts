import { readArtifacts } from '@understudy/client/artifacts'
import { expect, it } from 'vitest'
import { projectFrom } from './droppedFiles.ts'

const file = (path: string, text: string) => ({ path, file: new File([text], path) })

it('finds a source by the path that the artifact names, below the dropped folder', async () => {
  const { read } = projectFrom([file('/project/src/Counter.sol', 'contract Counter {}')])
  expect(await read('/project/src/Counter.sol')).toBe('contract Counter {}')
  expect(await read('src/Counter.sol')).toBe('contract Counter {}')
  expect(await read('Other.sol')).toBeUndefined()
})

it('reads a dropped project as the command line reads one on disk', async () => {
  const artifact = {
    contractName: 'A',
    sourceName: 'contracts/A.sol',
    abi: [],
    bytecode: '0x01',
    deployedBytecode: '0x02',
  }
  const project = projectFrom([
    file('/project/contracts/A.sol', 'contract A {}'),
    file('/project/artifacts/contracts/A.sol/A.json', JSON.stringify(artifact)),
  ])
  expect(await readArtifacts(project, { storageLayouts: true })).toMatchObject([{ name: 'A', source: 'contract A {}' }])
})
