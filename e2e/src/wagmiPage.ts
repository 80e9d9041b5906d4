import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A page with wagmi, on a server of its own. */
export type WagmiPage = { url: string; stop(): Promise<void> }

export type PageChain = { id: number; url: string }

const configOf = (chains: readonly PageChain[]) => `
const chains = ${JSON.stringify(
  chains.map(({ id, url }) => ({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })),
)}
const transports = Object.fromEntries(chains.map(({ id, rpcUrls }) => [id, wagmi.http(rpcUrls.default.http[0])]))
`

/** A page that finds the wallet that \`/wallet.js\` announces. It puts wagmi and its configuration on its window. */
export function startWagmiPage(network: string, chainId: number): Promise<WagmiPage> {
  const script = `
import * as wagmi from '@wagmi/core'
${configOf([{ id: chainId, url: network }])}
const config = wagmi.createConfig({ chains, transports })
Object.assign(window, { wagmi, config })
`
  return startPage(script, `<script type="module" src="${network}/wallet.js"></script>`)
}

/** A React app with wagmi's hooks and the connector of \`@understudy/wallet\`. */
export function startReactPage(chains: readonly PageChain[]): Promise<WagmiPage> {
  const script = `
import { understudy } from '@understudy/wallet/wagmi'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import * as wagmi from 'wagmi'
${configOf(chains)}
const config = wagmi.createConfig({ chains, transports, connectors: [understudy()] })

function App() {
  const { address, chainId, status } = wagmi.useConnection()
  const connectors = wagmi.useConnectors()
  const connect = wagmi.useConnect()
  const disconnect = wagmi.useDisconnect()
  const change = wagmi.useSwitchChain()
  const send = wagmi.useSendTransaction()
  const receipt = wagmi.useWaitForTransactionReceipt({ hash: send.data, pollingInterval: 100 })
  return (
    <main>
      <p>{status} {address} on {chainId}</p>
      <p>wallets: {connectors.map(({ name }) => name).join()}</p>
      <button onClick={() => connect.mutate({ connector: connectors[0] })}>Connect</button>
      <button onClick={() => disconnect.mutate()}>Disconnect</button>
      {chains.map(({ id }) => <button key={id} onClick={() => change.mutate({ chainId: id })}>Use {id}</button>)}
      <button onClick={() => send.mutate({ to: '0x00000000000000000000000000000000000a11ce', value: 5n })}>Send</button>
      <p>receipt: {receipt.data?.status}</p>
      <p>error: {(connect.error ?? change.error ?? send.error)?.message}</p>
    </main>
  )
}
createRoot(document.getElementById('root')).render(
  <wagmi.WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}><App /></QueryClientProvider>
  </wagmi.WagmiProvider>,
)
`
  return startPage(script, '')
}

async function startPage(script: string, scripts: string): Promise<WagmiPage> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-wagmi-'))
  const entry = join(folder, 'entry.jsx')
  writeFileSync(entry, script)
  const modules = [
    fileURLToPath(new URL('../node_modules', import.meta.url)),
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
  ]
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { modules },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const { code } = output[0]
  rmSync(folder, { recursive: true })
  const html = `<!doctype html><title>Page</title><div id="root"></div><script type="module" src="/page.js"></script>${scripts}`
  const server = createServer(({ url }, response) => {
    const isCode = url === '/page.js'
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html').end(isCode ? code : html)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
