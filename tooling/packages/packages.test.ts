import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLanguageServer } from '../../packages/client/test/languageServer.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The network and what it depends on first. */
const published = ['evm', 'node', 'client', 'testing', 'wallet']

let folder: string
/** The tarball of each package. */
let tarballs: Map<string, string>
/** The files of each package before one of them runs. */
const packed = new Map<string, string[]>()
/** What there is when `@understudy/node` alone is installed. */
let ofNode: { packages: string[]; bytes: number; asking: string[] }
/** Installs the packages in an empty folder as a user does: first the network alone, then the others. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-packages-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const paths = pack()
  tarballs = new Map(published.map((name, index) => [name, paths[index] as string]))
  install(paths.slice(0, 2))
  const packages = installed()
  const files = filesIn(join(folder, 'node_modules'))
  ofNode = {
    packages,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    asking: packages.filter(asksForScripts),
  }
  install(paths.slice(2))
  for (const name of published) packed.set(name, namesIn(join(folder, 'node_modules/@understudy', name)))
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function install(tarballs: string[]): void {
  const arguments_ = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]
  execFileSync('npm', arguments_, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Packs what is built, in the order of `published`. */
function pack(): string[] {
  const paths = published.map((name) => `./packages/${name}`)
  const arguments_ = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, ...paths]
  const printed = execFileSync('npm', arguments_, { cwd: root, encoding: 'utf8' })
  return Array.from(printed.matchAll(/"filename": "(.*)"/g), ([, file = '']) => join(folder, file))
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

const namesIn = (path: string) => filesIn(path).map((file) => file.slice(path.length + 1))

it.each(published)('has README and LICENSE, and no tests and source maps: %s', (name) => {
  const names = packed.get(name)
  expect(names).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']))
  expect(names?.filter((file) => /\.map$|\.test\.|tsbuildinfo|compile-cache/.test(file))).toEqual([])
})

it.each(published)('has a package.json and types that tools understand: %s', async (name) => {
  const tarball = readFileSync(tarballs.get(name) as string)
  const { messages } = await publint({ pack: { tarball: Uint8Array.from(tarball).buffer }, strict: true })
  expect(messages).toEqual([])
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  if (!analysis.types) throw new Error(`${name} has no types`)
  // The packages are for ES modules: CommonJS loads them with import(), and resolvers from before `exports` are left out.
  const problems = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  )
  expect(problems).toEqual([])
})

/** The types that `npm run docs` writes: they follow from the table of methods, and are listed as one. */
const ofMethods = Array.from(
  readFileSync(join(root, 'packages/client/src/generated/types.ts'), 'utf8').matchAll(/^export type (\w+)/gm),
  ([, name = '']) => name,
)

/** Names of types, in which those of methods are one. */
function grouped(types: readonly string[]): string[] {
  if (!ofMethods.every((name) => types.includes(name))) return types.map((name) => `type ${name}`)
  const others = types.filter((name) => !ofMethods.includes(name))
  return [...others.map((name) => `type ${name}`), 'the types of methods, of packages/client/src/generated/types.ts']
}

it('exports what exports.txt lists; else run npx vitest run tooling/packages -u', async () => {
  const entries = published.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules/@understudy', name, 'package.json'), 'utf8'))
    const paths = Object.keys(exports).filter((path) => !/\.\w+$/.test(path))
    return paths.map((path) => `@understudy/${name}${path.slice(1)}`)
  })
  const lines = await Promise.all(
    entries.map(async (entry) => {
      const program = `import * as all from '${entry}'\nall.;\nlet type: all.;\n`
      const editor = await startLanguageServer(program, { modules: join(folder, 'node_modules') })
      try {
        const values = await editor.completions(program.indexOf(';'))
        const types = await editor.completions(program.length - 2)
        const names = [...values, ...grouped(types.filter((name) => !values.includes(name)))]
        expect(names, entry).not.toEqual([])
        return [entry, ...names.map((name) => `  ${name}`)]
      } finally {
        await editor.stop()
      }
    }),
  )
  await expect(`${lines.flat().join('\n')}\n`).toMatchFileSnapshot('exports.txt')
})

it('has the licences of what is in its bundles', () => {
  const inNode = (path: string) => readFileSync(join(folder, 'node_modules/@understudy/node', path), 'utf8')
  const bundles = [
    ['dist/bundled.json', 'dist/bundle', ['viem@', 'fastify@', 'zod@', 'pg@']],
    ['generated/dashboard.json', 'generated/dashboard', ['react@', 'tailwindcss@', 'uplot@', '@fontsource-variable/']],
    ['generated/docs.json', 'generated/docs', ['minisearch@', '@fontsource-variable/']],
  ] as const
  for (const [list, folder, some] of bundles) {
    const names: string[] = JSON.parse(readFileSync(join(root, 'packages/node', list), 'utf8'))
    for (const each of some) expect(names.some((name) => name.startsWith(each))).toBe(true)
    const notices = inNode(join(folder, 'THIRD-PARTY.txt')).split(`\n${'-'.repeat(80)}\n\n`)
    expect(notices.map((notice) => /^\S+@\S+$/m.exec(notice)?.[0])).toEqual(names)
    for (const notice of notices) expect(notice).toMatch(/permission|redistribution|licen[cs]e/i)
  }
})

it('has one native module for each platform of Linux and macOS on x64 and arm64', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-gnu']
  const { optionalDependencies } = packages['node_modules/@understudy/node']
  expect(Object.keys(optionalDependencies)).toEqual(platforms.map((platform) => `@libsql/${platform}`))
  const native = filesIn(join(folder, 'node_modules')).filter((file) => file.endsWith('.node'))
  expect(native.filter((file) => file.includes('@libsql'))).toHaveLength(1)
  // Nothing else needs any: for signatures, there is WebAssembly where there is no prebuilt module.
  expect(native.filter((file) => !/@libsql|evm\/generated\/secp256k1/.test(file))).toEqual([])
})

it('says what to install where its native module is missing, as on Alpine Linux', () => {
  const modules = join(folder, 'node_modules/@libsql')
  renameSync(modules, `${modules}-elsewhere`)
  try {
    const words = ['start', '--port', '0']
    const started = spawnSync(join(folder, 'node_modules/.bin/understudy'), words, { cwd: folder, encoding: 'utf8' })
    expect(started.status).toBe(1)
    expect(started.stderr).toMatch(
      /SQLite for this platform is not installed\. Run: npm install @libsql\/(linux|darwin)-[\w-]+@[\d.]+/,
    )
  } finally {
    renameSync(`${modules}-elsewhere`, modules)
  }
})

it('is small, and runs no script when it is installed', () => {
  expect(ofNode.packages.length).toBeLessThanOrEqual(10)
  expect(ofNode.bytes).toBeLessThanOrEqual(29_000_000)
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
const options: NetworkOptions = { chainId: 4242, accounts: 3, mine: 'instant', order: 'fifo' }
// @ts-expect-error The modes are literals, and a number is none.
const wrong: NetworkOptions[] = [{ mine: 'sometimes' }, { hardfork: 'frontier' }]
// @ts-expect-error A number is not a text.
wrong.push({ accounts: '3' })
const network = await startNetwork(options)
const client = createUnderstudyClient({ url: network.url })
const accounts: readonly string[] = await client.getAddresses()
console.log(await client.getChainId(), accounts.length, new URL(network.wsUrl).protocol)
console.log(await createProvider({ urls: [network.url] }).request({ method: 'eth_chainId' }))
const blob = '0x' + '00'.repeat(131072)
const [from] = accounts
const sent = { from, to: from, blobs: [blob], maxFeePerBlobGas: '0x10' }
const hash = await client.request({ method: 'eth_sendTransaction', params: [sent as never] })
console.log((await client.waitForTransactionReceipt({ hash })).status, 'with a blob')
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
    'success with a blob',
    'startNetwork: fork-ulr: is not an option; did you mean fork-url?',
    '',
  ])
  expect(readdirSync(temporary)).toEqual([])
})
