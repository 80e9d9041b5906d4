import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { it } from 'vitest'
import { freePort, startIndexerProcess } from './indexerProcess.ts'
import { type IndexedEvent, type Indexer, testIndexer } from './indexerSuite.ts'

/** Envio generates the indexer from its project when it is installed: see CONTRIBUTING.md. */
const project = fileURLToPath(new URL('../../../../clients/envio/project/', import.meta.url))
const databaseUrl = process.env.TEST_DATABASE_URL

if (!existsSync(join(project, 'generated/src/Index.res.js'))) it.skip('envio is not installed: npm run install-clients')
else if (databaseUrl === undefined)
  it.skip('envio needs PostgreSQL: node tooling/withPostgres.mjs npx vitest run envio')
// Over RPC it keeps the blocks that it has read, and compares them with themselves.
else testIndexer('envio', (url) => startEnvio(url, new URL(databaseUrl)), { noticesReorgs: false })

/** In a copy of the generated indexer that names the network, and in a database of its own. */
async function startEnvio(networkUrl: string, database: URL): Promise<Indexer> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-envio-'))
  for (const name of ['package.json', 'config.yaml', 'schema.graphql', 'src'])
    cpSync(join(project, name), join(directory, name), { recursive: true })
  const generated = join(directory, 'generated')
  for (const name of ['src', 'index.js', 'package.json', 'persisted_state.envio.json'])
    cpSync(join(project, 'generated', name), join(generated, name), { recursive: true })
  symlinkSync(join(project, 'generated/node_modules'), join(generated, 'node_modules'))
  mkdirSync(join(directory, 'node_modules'))
  for (const name of readdirSync(join(project, 'node_modules'))) {
    const target = name === 'generated' ? generated : join(project, 'node_modules', name)
    symlinkSync(target, join(directory, 'node_modules', name))
  }
  const file = join(generated, 'src/Generated.res.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('http://network.invalid', networkUrl))

  const name = `envio_${process.pid}_${await freePort()}`
  await query(database, `create database ${name}`)
  const own = new URL(database)
  own.pathname = `/${name}`
  const running = startIndexerProcess(['generated/src/Index.res.js'], {
    cwd: directory,
    environment: {
      ENVIO_HASURA: 'false',
      ENVIO_INDEXER_PORT: `${await freePort()}`,
      ENVIO_PG_DATABASE: name,
      ENVIO_PG_HOST: database.hostname,
      ENVIO_PG_PASSWORD: decodeURIComponent(database.password),
      ENVIO_PG_PORT: database.port,
      ENVIO_PG_USER: database.username,
      TUI_OFF: 'true',
    },
  })
  const columns = 'value, "transactionHash"'
  const inOrder = `select ${columns} from "PlainEvent" order by block, split_part(id, '-', 2)::int`
  return {
    // Its tables come with its start.
    events: () => query<IndexedEvent>(own, inOrder).catch(() => []),
    ...running,
    async stop() {
      await running.stop()
      await query(database, `drop database ${name} with (force)`)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function query<Row extends pg.QueryResultRow>(database: URL, text: string): Promise<Row[]> {
  // A connection that the server ends fails the query that runs; without a listener, it would end the test run.
  const client = new pg.Client(database.href).on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
