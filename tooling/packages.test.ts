import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const published = ['evm', 'client', 'node', 'testing', 'wallet']
const megabyte = 2 ** 20

let folder: string
/** What there is when `@understudy/node` alone is installed. */
let ofNode: { packages: string[]; bytes: number; asking: string[] }
/** Packs what is built, and installs it in an empty folder as a user does: first the network alone, then the other packages. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-packages-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  install(['evm', 'node'])
  const packages = installed()
  const files = filesIn(join(folder, 'node_modules'))
  ofNode = {
    packages,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    asking: packages.filter(asksForScripts),
  }
  install(published.filter((name) => name !== 'evm' && name !== 'node'))
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function install(names: string[]): void {
  const tarballs = names.map((name) => {
    const arguments_ = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const printed = execFileSync('npm', arguments_, { cwd: join(root, 'packages', name), encoding: 'utf8' })
    const [, file = ''] = /"filename": "(.*)"/.exec(printed) ?? []
    return join(folder, file)
  })
  const arguments_ = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]
  execFileSync('npm', arguments_, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Where the packages are. */
function installed(): string[] {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.keys(lock.packages).filter((path) => path !== '' && existsSync(join(folder, path)))
}

function asksForScripts(path: string): boolean {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'))
  return [scripts.preinstall, scripts.install, scripts.postinstall].some((script) => script !== undefined)
}

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

it.each(published)('has README and LICENSE, and no tests and source maps: %s', (name) => {
  const files = filesIn(join(folder, 'node_modules/@understudy', name))
  const names = files.map((file) => file.slice(join(folder, 'node_modules/@understudy', name).length + 1))
  expect(names).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']))
  expect(names.filter((file) => /\.map$|\.test\.|tsbuildinfo|compile-cache/.test(file))).toEqual([])
})

it('has the licences of what is in its bundles', () => {
  const inNode = (path: string) => readFileSync(join(folder, 'node_modules/@understudy/node', path), 'utf8')
  const bundles = [
    ['dist/bundled.json', 'dist/bundle', ['viem@', 'fastify@', 'zod@', 'pg@']],
    ['generated/dashboard.json', 'generated/dashboard', ['react@', 'tailwindcss@', 'uplot@', '@fontsource-variable/']],
  ] as const
  for (const [list, place, some] of bundles) {
    const names: string[] = JSON.parse(readFileSync(join(root, 'packages/node', list), 'utf8'))
    for (const each of some) expect(names.some((name) => name.startsWith(each))).toBe(true)
    const notices = inNode(join(place, 'THIRD-PARTY.txt')).split(`\n${'-'.repeat(80)}\n\n`)
    expect(notices.map((notice) => /^\S+@\S+$/m.exec(notice)?.[0])).toEqual(names)
    for (const notice of notices) expect(notice).toMatch(/permission|redistribution|licen[cs]e/i)
  }
})

it('has native modules for Linux and macOS on x64 and arm64', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const platforms = [
    'linux-x64-gnu',
    'linux-arm64-gnu',
    'linux-x64-musl',
    'linux-arm64-musl',
    'darwin-x64',
    'darwin-arm64',
  ]
  const libsql = Object.keys(packages['node_modules/libsql'].optionalDependencies)
  expect(libsql).toEqual(expect.arrayContaining(platforms.map((platform) => `@libsql/${platform}`)))
  // Nothing else needs any: for signatures, there is WebAssembly where there is no prebuilt module.
  const native = filesIn(join(folder, 'node_modules')).filter((file) => file.endsWith('.node'))
  expect(native.filter((file) => !/@libsql|evm\/generated\/secp256k1/.test(file))).toEqual([])
})

it('is small, and runs no script when it is installed', () => {
  expect(ofNode.packages.length).toBeLessThan(60)
  expect(ofNode.bytes).toBeLessThan(60 * megabyte)
  expect(ofNode.asking).toEqual([])
  // The other packages bring only themselves and viem, their peer, which their users have.
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const more = installed().filter((path) => !ofNode.packages.includes(path) && !packages[path].peer)
  expect(more.sort()).toEqual(['client', 'testing', 'wallet'].map((name) => `node_modules/@understudy/${name}`))
  expect(installed().filter(asksForScripts)).toEqual([])
})

it('starts a network with its sample chain and dashboard', { timeout: 60_000 }, async () => {
  const child = spawn(join(folder, 'node_modules/.bin/understudy'), ['start', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  try {
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      if (/Listening on \S+\s/.test(output)) break
    }
    const [, url = ''] = /Listening on (\S+)/.exec(output) ?? []
    expect(await chainId(url)).toBe('0x539')
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script')
  } finally {
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  }
})

async function chainId(url: string): Promise<string> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { result: string }).result
}

const program = `
import { startNetwork, type NetworkOptions } from '@understudy/node'
import { createUnderstudyClient } from '@understudy/client'
import { createProvider } from '@understudy/wallet'
const options: NetworkOptions = { chainId: 4242, accounts: 3 }
const network = await startNetwork(options)
const client = await createUnderstudyClient({ url: network.url })
const accounts: readonly string[] = await client.getAddresses()
console.log(await client.getChainId(), accounts.length, new URL(network.wsUrl).protocol)
console.log(await createProvider({ urls: [network.url] }).request({ method: 'eth_chainId' }))
await network.stop()
try {
  await startNetwork({ forkUlr: 'http://127.0.0.1:1' } as NetworkOptions)
} catch (error) {
  console.log((error as Error).message)
}
`

it('runs in the process of a program, and has types', { timeout: 120_000 }, () => {
  writeFileSync(join(folder, 'program.ts'), program)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', 'node']
  const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')]
  execFileSync(process.execPath, [compiler, ...options, ...typeRoots, 'program.ts'], { cwd: folder, stdio: 'inherit' })
  const temporary = mkdtempSync(join(folder, 'temporary-'))
  const environment = { PATH: process.env.PATH, TMPDIR: temporary }
  const printed = execFileSync(process.execPath, ['program.js'], { cwd: folder, env: environment, encoding: 'utf8' })
  expect(printed.split('\n')).toEqual([
    '4242 3 ws:',
    '0x1092',
    'startNetwork: fork-ulr: is not an option; did you mean fork-url?',
    '',
  ])
  expect(readdirSync(temporary)).toEqual([])
})
