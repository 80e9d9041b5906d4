import { createRequire } from 'node:module'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { recover } from 'tiny-secp256k1'
import { formatDuration, median } from '../times.ts'

type NativeBindings = {
  ecdsaRecover(signature: Uint8Array, recoveryId: number, hash: Uint8Array, compressed: boolean): Uint8Array
}

const hash = Buffer.from('456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3', 'hex')
const signature = Buffer.from(
  '9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608' +
    '4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada',
  'hex',
)

/** Libraries that recover a signer, by name. All return the uncompressed key. */
function libraries(): Record<string, () => Uint8Array | null> {
  const bindings = createRequire(import.meta.url)('secp256k1/bindings') as NativeBindings
  const recovered = Buffer.concat([Buffer.of(1), signature])
  return {
    'secp256k1 (prebuilt native)': () => bindings.ecdsaRecover(signature, 1, hash, false),
    'tiny-secp256k1 (WebAssembly)': () => recover(hash, signature, 1, false),
    '@noble/curves (JavaScript)': () => secp256k1.recoverPublicKey(recovered, hash, { prehash: false }),
  }
}

/** Prints the time to recover the signer of a transaction, by library. It bounds transactions per second. */
export function compareRecovery(): void {
  console.log('\n| sender recovery | time |')
  console.log('|---|---|')
  for (const [name, recoverKey] of Object.entries(libraries())) {
    const times: number[] = []
    for (let round = 0; round < 300; round++) {
      const start = performance.now()
      recoverKey()
      if (round >= 100) times.push((performance.now() - start) * 1000)
    }
    console.log(`| ${name} | ${formatDuration(median(times))} |`)
  }
}
