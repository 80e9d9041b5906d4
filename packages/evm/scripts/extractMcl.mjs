// Takes mcl's WebAssembly out of the package mcl-wasm, to generated/mcl.wasm. The package itself makes one curve in a process and starts
// asynchronously; the bytes start at once when a curve is first needed, and as often as there are curves.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = readFileSync(fileURLToPath(import.meta.resolve('mcl-wasm/dist/mcl_c.js')), 'utf8')
const base64 = /const wasmBase64 = '([A-Za-z0-9+/=]+)'/.exec(source)?.[1]
if (base64 === undefined) throw new Error('mcl-wasm holds its WebAssembly in another way than before')

const generated = fileURLToPath(new URL('../generated', import.meta.url))
mkdirSync(generated, { recursive: true })
writeFileSync(join(generated, 'mcl.wasm'), Buffer.from(base64, 'base64'))
