// Served as `/wallet.js`, for a page that loads it as a module:
//   <script type="module" src="http://127.0.0.1:8545/wallet.js"></script>

import { announceProvider } from './announce.ts'
import { createProvider } from './provider.ts'

const source = new URL(import.meta.url)
const key = source.searchParams.get('key')
const branch = source.searchParams.get('branch')
const path = [...(branch ? ['n', encodeURIComponent(branch)] : []), ...(key ? ['rpc', encodeURIComponent(key)] : [])]
const url = [source.origin, ...path].join('/')
announceProvider(createProvider({ urls: [url, ...source.searchParams.getAll('network')] }))
