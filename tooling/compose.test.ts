import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { configFromSources, describeConfig } from '../packages/node/src/config/config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
type Service = { environment: Record<string, string>; depends_on?: Record<string, unknown>; volumes?: string[] }
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  readFileSync(join(root, 'compose.yaml'), 'utf8'),
)

/** As compose puts in what was chosen, and what is there when nothing was. */
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
  const { POSTGRES_USER, POSTGRES_DB } = (compose.services.database as Service).environment
  expect([username, hostname, port, pathname.slice(1)]).toEqual([POSTGRES_USER, 'database', '5432', POSTGRES_DB])
  expect(describeConfig(config).databaseUrl).not.toContain('understudy@')
})

it('names only services and volumes that there are', () => {
  for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    const named = volumes.map((volume) => volume.split(':')[0] as string).filter((name) => !/^[./]/.test(name))
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named))
  }
})
