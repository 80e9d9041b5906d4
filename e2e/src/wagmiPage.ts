import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A page with wagmi, on a server of its own, which loads the wallet of a network. */
export type WagmiPage = { url: string; stop(): Promise<void> }

const script = (url: string, chainId: number) => `
import * as wagmi from '@wagmi/core'
const chain = {
  id: ${chainId},
  name: 'Test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['${url}'] } },
}
const config = wagmi.createConfig({ chains: [chain], transports: { [chain.id]: wagmi.http('${url}') } })
Object.assign(window, { wagmi, config })
`

export async function startWagmiPage(network: string, chainId: number): Promise<WagmiPage> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-wagmi-'))
  const entry = join(folder, 'entry.js')
  writeFileSync(entry, script(network, chainId))
  const modules = [
    fileURLToPath(new URL('../node_modules', import.meta.url)),
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
  ]
  const bundle = await rolldown({ input: entry, platform: 'browser', resolve: { modules }, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const { code } = output[0]
  rmSync(folder, { recursive: true })
  const html = `<!doctype html><title>Page</title><script type="module" src="/page.js"></script><script type="module" src="${network}/wallet.js"></script>`
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
