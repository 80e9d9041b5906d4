import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { freePort, startIndexerProcess } from './indexerProcess.ts'
import { type IndexedEvent, type Indexer, testIndexer } from './indexerSuite.ts'

/** It has an installation of its own: see CONTRIBUTING.md. */
const folder = fileURLToPath(new URL('../../../../clients/ponder/', import.meta.url))
const program = join(folder, 'node_modules/ponder/dist/esm/bin/ponder.js')

if (existsSync(program)) testIndexer('ponder', startPonder, { noticesReorgs: true })
else it.skip('ponder is not installed: npm run install-clients')

/** Its database is in a copy of the project, in a temporary folder. */
async function startPonder(networkUrl: string): Promise<Indexer> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-ponder-'))
  for (const name of ['package.json', 'ponder.config.ts', 'ponder.schema.ts', 'src'])
    cpSync(join(folder, name), join(directory, name), { recursive: true })
  symlinkSync(join(folder, 'node_modules'), join(directory, 'node_modules'))
  const port = await freePort()
  const args = ['start', '--schema', 'indexed', '--port', `${port}`, '--hostname', '127.0.0.1']
  const running = startIndexerProcess([program, ...args], {
    cwd: directory,
    environment: { PONDER_TELEMETRY_DISABLED: 'true', NETWORK_URL: networkUrl },
  })
  return {
    async events() {
      // It listens when it has read the blocks that are final.
      const response = await fetch(`http://127.0.0.1:${port}/events`).catch(() => undefined)
      return response?.ok ? ((await response.json()) as IndexedEvent[]) : []
    },
    ...running,
    async stop() {
      await running.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
