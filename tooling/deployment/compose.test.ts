import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startAnvil, startUnderstudy } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { configFromSources, describeConfig } from '../../packages/node/src/config/config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
type Service = {
  image?: string
  user?: string
  environment: Record<string, string>
  depends_on?: Record<string, unknown>
  volumes?: string[]
}
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  readFileSync(join(root, 'compose.yaml'), 'utf8'),
)

/** Replaces variables as compose does, with their defaults. */
const filled = (text: string, chosen: Record<string, string>) =>
  text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, mark: string, rest: string) => {
    const value = chosen[name] ?? (mark === '-' ? rest : undefined)
    if (value === undefined) throw new Error(`${name} is not chosen: ${rest}`)
    return value
  })

it('starts a network that is kept in the database beside it, with options that there are', () => {
  const chosen = { DATABASE_PASSWORD: 'secret', FORK_URL: 'https://rpc.example', API_KEYS: '0123456789abcdef:admin' }
  const { environment } = compose.services.understudy as Service
  const values = Object.entries(environment).map(([name, text]) => [name, filled(text, chosen)])
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const inImage = [...dockerfile.matchAll(/(UNDERSTUDY_\w+)=(\S+)/g)].map(([, name, value]) => [name, value])
  const config = configFromSources({}, Object.fromEntries([...inImage, ...values]))
  expect(config).toMatchObject({ network: 'understudy', forkUrls: ['https://rpc.example'], host: '0.0.0.0' })
  const { username, hostname, port, pathname } = new URL(config.databaseUrl ?? '')
  expect([username, hostname, port, pathname]).toEqual(['understudy', 'database', '5432', '/understudy'])
  expect(environment.PGPASSWORD).toBe((compose.services.database as Service).environment.NETWORK_PASSWORD)
  expect(describeConfig(config).databaseUrl).not.toContain('understudy@')
})

it('names only services and volumes that there are', () => {
  for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    const named = volumes.map((volume) => volume.split(':')[0] as string).filter((name) => !/^[./]/.test(name))
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named))
  }
})

it('gives its services no more than they need', () => {
  for (const service of Object.values(compose.services)) {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.stringMatching(/^\d+g$/),
      pids_limit: expect.any(Number),
    })
  }
  expect(filled(compose.services.database?.image ?? '', {})).toMatch(/^postgres:\d+\.\d+-\w+$/)
  expect(compose.services.database?.user).toBe('postgres')
})

it.skipIf(!process.env.TEST_DATABASE_URL)(
  'keeps the network in a role that owns its database and nothing else',
  async () => {
    const [script = ''] = compose.services.database?.volumes?.filter((volume) => volume.includes('initdb')) ?? []
    const [file = '', target = ''] = script.split(':')
    expect(existsSync(join(root, file))).toBe(true)
    expect(target).toMatch(/^\/docker-entrypoint-initdb\.d\/\w+\.sql$/)
    const admin = new URL(process.env.TEST_DATABASE_URL ?? '')
    const password = `it's "secret"`
    const sql = async (url: URL, ...args: string[]) =>
      (
        await promisify(execFile)('psql', ['-X', '-A', '-t', ...args], {
          env: {
            PATH: process.env.PATH,
            PGHOST: url.hostname,
            PGPORT: url.port,
            PGUSER: url.username,
            PGPASSWORD: decodeURIComponent(url.password),
            PGDATABASE: url.pathname.slice(1),
            NETWORK_PASSWORD: password,
          },
        })
      ).stdout.trim()
    const url = new URL(admin)
    Object.assign(url, { username: 'understudy', password, pathname: '/understudy' })
    const anvil = await startAnvil()
    try {
      await sql(admin, '-f', join(root, file))
      const flags = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls'
      expect(await sql(url, '-c', `select ${flags} from pg_roles where rolname = current_user`)).toBe('f|f|f|f|f')
      const owned = `select datname from pg_database where datdba = 'understudy'::regrole`
      expect(await sql(url, '-c', owned)).toBe('understudy')
      const elsewhere = new URL(url)
      elsewhere.pathname = '/postgres'
      await expect(sql(elsewhere, '-c', 'select 1')).rejects.toThrow('permission denied for database "postgres"')
      const network = await startUnderstudy(['--fork-url', anvil.url], {
        environment: { UNDERSTUDY_DATABASE_URL: url.href },
      })
      expect(await network.end()).toMatchObject({ code: 0 })
    } finally {
      await anvil.stop()
      await sql(admin, '-c', 'drop database if exists understudy', '-c', 'drop role if exists understudy')
      await sql(admin, '-c', 'grant connect, temporary on database postgres, template1 to public')
    }
  },
)
