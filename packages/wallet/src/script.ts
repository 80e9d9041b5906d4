// Served as `/wallet.js`, for a page that loads it as a module:
//   <script type="module" src="http://127.0.0.1:8545/wallet.js"></script>

import { announceProvider } from './announce.ts'
import { createProvider } from './provider.ts'
import { networkUrlOf } from './scriptUrl.ts'

const source = new URL(import.meta.url)
announceProvider(createProvider({ urls: [networkUrlOf(source), ...source.searchParams.getAll('network')] }))
