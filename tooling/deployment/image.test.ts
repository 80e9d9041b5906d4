import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '')

let directory: string
let image: string
/** Does what the Dockerfile does, without Docker, on what is built here already. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-image-'))
  image = join(directory, 'image')
  const build = join(directory, 'build')
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  const folders = workspaces.flatMap((name) =>
    name.endsWith('/*') ? readdirSync(join(root, dirname(name))).map((inner) => join(dirname(name), inner)) : name,
  )
  const manifests = ['package-lock.json', ...['.', ...folders].map((folder) => join(folder, 'package.json'))]
  for (const file of manifests) cpSync(join(root, file), join(build, file))
  const [, install = ''] = /^RUN (npm ci --omit=dev .*)$/m.exec(dockerfile) ?? []
  const environment = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
  execFileSync('/bin/sh', ['-c', install], { cwd: build, env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  const copies = [...dockerfile.matchAll(/^COPY --from=build \/understudy\/(\S+) (\S+)$/gm)]
  expect(copies.length).toBeGreaterThan(0)
  for (const [, from = '', to = ''] of copies) {
    const source = basename(from) === 'node_modules' ? build : root
    const target = join(image, to.endsWith('/') ? join(to, basename(from)) : to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(source, from), target, { recursive: true, verbatimSymlinks: true })
  }
}, 180_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }), 180_000)

it('holds a network that starts as an ordinary user, with its sample chain and dashboard, and is healthy', {
  timeout: 120_000,
}, async () => {
  const data = join(directory, 'data')
  mkdirSync(data, { recursive: true })
  // Root can become the user of the image, to whom all but the data is read-only.
  const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}
  if (user.uid !== undefined) {
    chmodSync(directory, 0o755)
    chownSync(data, user.uid, user.gid)
  }
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
  const [, ...script] = JSON.parse(entry) as string[]
  const child = spawn(process.execPath, [...script, 'start', '--port', '0', '--data-dir', data], {
    ...user,
    cwd: image,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        const [, found] = /Listening on (\S+)/.exec(output) ?? []
        if (found) resolve(found)
      })
      exit.then(() => reject(new Error(`It ended: ${output}`)), reject)
    })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x539' })
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script')
    expect(healthCheck(url)).toBe(0)
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(healthCheck(url)).toBe(1)
  } finally {
    child.kill('SIGKILL')
  }
})

/** The exit code of the image's health check. */
function healthCheck(url: string): number | null {
  const [, check = ''] = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile) ?? []
  const [, ...args] = JSON.parse(check) as string[]
  return spawnSync(process.execPath, args, { env: { UNDERSTUDY_PORT: new URL(url).port } }).status
}

it('holds nothing of tests and builds', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const modules = join(image, 'node_modules')
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
  )
  expect(names).toEqual(expect.arrayContaining(['@understudy/evm', '@understudy/node']))
  expect(names.filter((name) => name.startsWith('@libsql/'))).toHaveLength(1)
  expect(names.filter((name) => packages[`node_modules/${name}`]?.dev)).toEqual([])
  expect(names.filter((name) => /typescript|testkit|campaign|bench|e2e/.test(name))).toEqual([])
  expect(readdirSync(join(image, 'packages'))).toEqual(['evm', 'node'])
  expect(readdirSync(join(image, 'packages/node'))).toEqual(['bin', 'dist', 'generated', 'package.json'])
})

it('is made of a base of an exact version, and never of files with secrets', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\S+$/m)
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)).toEqual(['$NODE_IMAGE', '$NODE_IMAGE'])
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['**/.env', '**/.env.*', '**/understudy.config.json', '.understudy']))
})
