import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHost, type TestHost } from '../host/startHost.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let host: TestHost
beforeAll(async () => {
  network = await startNetwork({ apiKeys: ['first-secret-key-of-the-team:admin'] })
  host = await startHost({ networks: { own: { 'chain-id': 777 } } })
})
afterAll(async () => {
  await network?.stop()
  await host?.stop()
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** As it is: fetch would unpack the answer and follow redirects. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    request.on('error', reject)
    request.end()
  })
}

it('serves pages in the encoding that a client takes, without a key, with the headers of the dashboard', async () => {
  const url = `${network.url}/docs/branches`
  const [packed, zipped, plain] = await Promise.all([
    get(url, { 'accept-encoding': 'gzip, deflate, br' }),
    get(url, { 'accept-encoding': 'gzip, deflate' }),
    get(url),
  ])
  expect(plain.body.toString()).toContain('<h1 id="branches">Branches</h1>')
  expect(brotliDecompressSync(packed.body)).toEqual(plain.body)
  expect(gunzipSync(zipped.body)).toEqual(plain.body)
  expect([packed, zipped, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  const dashboard = await get(network.url, { accept: 'text/html' })
  for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control', 'content-type'])
    expect([name, plain.headers[name]]).toEqual([name, dashboard.headers[name]])
  expect(plain.headers.vary).toBe('accept-encoding')
})

it('lets clients keep files with a digest in their name', async () => {
  const page = (await get(`${network.url}/docs/`)).body.toString()
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
  const { status, headers } = await get(`${network.url}/docs/${script}`)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
})

it('redirects to the start by an address that works below any path', async () => {
  for (const url of [network.url, host.url, `${host.url}/n/own`]) {
    const { status, headers } = await get(`${url}/docs`)
    expect([status, headers.location]).toEqual([302, 'docs/'])
  }
})

it('serves the same pages for each of several networks, without waking one', async () => {
  for (const path of ['/docs/methods/dev_setBalance', '/n/own/docs/methods/dev_setBalance', '/n/unknown/docs/'])
    expect([path, (await get(host.url + path, { accept: 'text/html' })).body.toString()]).toEqual([
      path,
      expect.stringContaining('Understudy <span>docs</span>'),
    ])
  expect(await host.rpc('/', 'dev_getNetworks')).toMatchObject([{ name: 'own', state: 'asleep' }])
})

it('has only what was built: no path leads out of it', async () => {
  const paths = [
    'nothing',
    '../dashboard/index.html',
    '%2e%2e/dashboard/index.html',
    '.built-from',
    '..%2f..%2fpackage.json',
  ]
  for (const path of paths) {
    const { status, body } = await get(`${network.url}/docs/${path}`)
    expect([path, status, body.toString()]).toEqual([
      path,
      404,
      expect.stringMatching(/<h1 id="page-not-found">|nothing is at this address/),
    ])
  }
})

it('sends a page for an unknown address, whose links are right below any path', async () => {
  for (const url of [`${network.url}/docs/`, `${host.url}/n/own/docs/`])
    for (const path of ['nothing', 'methods/dev_nothing', 'a/b/c', 'a/', '404']) {
      const { status, headers, body } = await get(url + path, { accept: 'text/html' })
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
      const links = Array.from(
        body.toString().matchAll(/\s(?:href|src|data-\w+)="([^#"][^"]*)"/g),
        ([, href = '']) => new URL(href, url + path).href,
      )
      expect(links.filter((link) => !link.startsWith(url))).toEqual([])
      expect(new Set(links)).toContain(url)
      for (const link of [links[0], links.find((each) => each.endsWith('.css')), links.at(-1)])
        expect([link, (await get(link as string)).status]).toEqual([link, 200])
    }
})

it('answers a very deep address with a page that is no longer than others', async () => {
  const { body: other } = await get(`${network.url}/docs/nothing`)
  const { status, body } = await get(`${network.url}/docs/${'a/'.repeat(7_000)}`)
  expect(status).toBe(404)
  expect(body.length).toBeLessThan(2 * other.length)
})

it('is no way around the checks of hosts and of other sites', async () => {
  expect((await get(`${network.url}/docs/`, { host: 'attacker.example' })).status).toBe(403)
  expect((await get(`${network.url}/docs/`, { origin: 'https://attacker.example' })).status).toBe(403)
})
