import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSolidity } from '../../../tooling/compileSolidity.mjs'

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))

const compiled = compileSolidity({
  packageDir,
  contractsDir: join(packageDir, 'src/sample/contracts'),
  outDir: join(packageDir, 'generated/sampleContracts'),
  evmVersion: 'london',
})
if (compiled) console.log('Compiled the contracts of the sample chain')
