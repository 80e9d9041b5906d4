import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSolidity } from '../../../tooling/build/compileSolidity.mjs'

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))

const folders = [
  ['src/sample/contracts', 'generated/sampleContracts', 'london', 'the sample chain'],
  ['src/wallet/contracts', 'generated/walletContracts', 'london', 'the wallet'],
]
for (const [contracts, out, evmVersion, what] of folders)
  if (
    compileSolidity({
      packageDir,
      contractsDir: join(packageDir, contracts),
      outDir: join(packageDir, out),
      evmVersion,
    })
  )
    console.log(`Compiled the contracts of ${what}`)
