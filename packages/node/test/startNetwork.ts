import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEvm } from '@understudy/evm'
import { connectClient, type TestClient } from '@understudy/testkit'
import { createNode, type Node } from '../src/app/createNode.ts'
import { createConfig } from '../src/config/config.ts'
import type { OptionKey } from '../src/config/options.ts'
import type { Clock } from '../src/shared/clock.ts'
import { createLogger, type Logger } from '../src/shared/logger.ts'
import type { PostgresLocation } from '../src/storage/database.ts'
import { AnswerCheck } from './rpc/answerCheck.ts'
import { dropTestLocation, newTestLocation } from './testDatabase.ts'

/** A network in this process, on a free port, in a directory or a schema of its own. */
export type TestNetwork = {
  url: string
  node: Node
  client: TestClient
  directory: string
  /** The directory, or the network in the database of the tests. */
  location: string | PostgresLocation
  /** Any JSON-RPC method of the network; rejects with viem's `RpcRequestError`. */
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Stops it and starts it again on the same location. */
  restart(options?: Options): Promise<void>
  stop(): Promise<void>
}

type Options = Partial<Record<OptionKey, unknown>>

const engine = createEvm()
/** Threads run built files only. */
const workerFile = new URL('../dist/workers/thread.js', import.meta.url)

/** `clock` and `logger` stand in for the system's. With keys, `client` has the first. */
export async function startNetwork(
  options: Options = {},
  needs: { clock?: Clock; logger?: Logger } = {},
): Promise<TestNetwork> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-'))
  const database = newTestLocation()
  const kept = { dataDirectory: directory, databaseUrl: database?.url, network: database?.network }
  const logger = createLogger((process.env.LOG_LEVEL as 'debug' | undefined) ?? 'silent')
  const answers = new AnswerCheck()
  const open = async (changes: Options) => {
    const config = createConfig({
      port: 0,
      ...kept,
      pollIntervalMs: 50,
      checkFidelity: 0,
      workers: 0,
      ...options,
      ...changes,
    })
    const node = await createNode(config, { engine, logger, workerFile, onAnswered: answers.see, ...needs })
    await node.start()
    const [first] = config.apiKeys
    const address = first ? `${node.url()}/rpc/${first.key}` : node.url()
    return { node, url: node.url(), client: await connectClient(address) }
  }
  const network: TestNetwork = {
    ...(await open({})),
    directory,
    location: database ?? directory,
    rpc: (method, ...params) => network.client.request({ method, params } as never, { retryCount: 0 }),
    async restart(changes = {}) {
      await network.node.stop()
      Object.assign(network, await open(changes))
    },
    async stop() {
      await network.node.stop()
      if (database) await dropTestLocation(database)
      rmSync(directory, { recursive: true, force: true })
      answers.requireListedErrors()
    },
  }
  return network
}

/** Waits until `read` answers something that `matches`. Fails by the test's own time limit. */
export async function eventually<T>(read: () => Promise<T>, matches: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (matches(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
