import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { dropTestLocation, requireTestLocation, type TestLocation } from '../testDatabase.ts'

let location: TestLocation
beforeEach(() => {
  location = requireTestLocation()
})
afterEach(() => dropTestLocation(location))

const changed = (change: (url: URL) => void): TestLocation => {
  const url = new URL(location.url)
  change(url)
  return { ...location, url: url.href }
}
const asAdministrator = async (...statements: string[]) => {
  const client = new pg.Client(location.url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

it.each([
  ['no server', (url: URL) => (url.port = '1'), /Check that PostgreSQL is running there, and check --database-url$/],
  ['another password', (url: URL) => (url.password = 'wrong'), /Check the user and the password in --database-url$/],
  ['no such database', (url: URL) => (url.pathname = '/nowhere'), /Create the database \(createdb NAME\)/],
] as const)('says what to do when there is %s, without the password', async (_, change, advice) => {
  const opening = openDatabase(changed(change))
  await expect(opening).rejects.toMatchObject({ kind: 'DATABASE_UNUSABLE', message: expect.stringMatching(advice) })
  const { password } = new URL(location.url)
  const message = await opening.catch((error: Error) => error.message)
  expect(message).toContain('postgres://***@127.0.0.1')
  for (const secret of [password, decodeURIComponent(password), 'wrong'].filter(Boolean))
    expect(message).not.toContain(secret)
})

it('says which right is missing when the user may not make the schema', async () => {
  const role = `r${location.network}`
  await asAdministrator(`create role ${role} login password 'p'`)
  const theirs = changed((url) => {
    url.username = role
    url.password = 'p'
  })
  await expect(openDatabase(theirs)).rejects.toMatchObject({
    kind: 'DATABASE_UNUSABLE',
    message: expect.stringContaining('grant create on database'),
  })
  await asAdministrator(`drop role ${role}`)
})

it('refuses a network that another process runs, and lets it in when that has stopped', async () => {
  const first = await openDatabase(location)
  await expect(openDatabase(location)).rejects.toMatchObject({ kind: 'NETWORK_IN_USE' })
  await first.close()
  const second = await openDatabase(location)
  await second.close()
})
