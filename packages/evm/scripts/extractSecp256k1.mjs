// Takes the prebuilt libsecp256k1 of each system out of the package secp256k1, to generated/secp256k1/. The package itself asks to
// run an install script, which looks whether there is one.
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = join(dirname(fileURLToPath(import.meta.resolve('secp256k1/package.json'))), 'prebuilds')
const target = fileURLToPath(new URL('../generated/secp256k1', import.meta.url))
rmSync(target, { recursive: true, force: true })
cpSync(source, target, { recursive: true })
