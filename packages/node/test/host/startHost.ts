import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, type Host } from '../../src/host/createHost.ts'
import { readHostConfig } from '../../src/host/hostConfig.ts'
import { createLogger } from '../../src/shared/logger.ts'
import { AnswerCheck } from '../rpc/answerCheck.ts'
import { dropDeployment, newTestLocation, type TestLocation } from '../testDatabase.ts'

type File = Record<string, unknown> & { options?: Record<string, unknown> }

/** Several networks in this process, in a directory or schemas of their own. */
export type TestHost = {
  host: Host
  url: string
  directory: string
  /** A call at the root, or of a network; rejects with the error object. */
  rpc<T = unknown>(at: string, method: string, params?: readonly unknown[], key?: string): Promise<T>
  http(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; body: unknown }>
  /** Stops it, and starts it again on the same directory. */
  restart(file?: File): Promise<void>
  stop(): Promise<void>
}

/** Threads run built files only. */
const workerFile = new URL('../../dist/workers/thread.js', import.meta.url)

/** The name of a deployment is short, because those of schemas begin with it. */
export function newDeployment(): TestLocation | undefined {
  const location = newTestLocation()
  return location && { ...location, network: location.network.slice(0, 10) }
}

export async function startHost(given: File, database = newDeployment()): Promise<TestHost> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-'))
  const logger = createLogger((process.env.LOG_LEVEL as 'debug' | undefined) ?? 'silent')
  const common = { port: 0, 'data-dir': directory, 'check-fidelity': 0, 'poll-interval': 50 }
  const location = database && { 'database-url': database.url, network: database.network }
  const answers = new AnswerCheck()
  const open = async (file: File) => {
    const config = readHostConfig({
      path: 'test.json',
      options: { ...file, options: { ...common, ...location, ...file.options } },
    })
    const host = await createHost(config, { logger, workerFile, onAnswered: answers.see })
    await host.start()
    return { host, url: host.url() }
  }
  const headersOf = (key?: string): Record<string, string> => (key === undefined ? {} : { 'x-api-key': key })
  const started: TestHost = {
    ...(await open(given)),
    directory,
    async rpc(at, method, params = [], key) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(started.url + at, { method: 'POST', headers: headersOf(key), body })
      const { result, error } = (await response.json()) as { result: never; error: unknown }
      if (error !== undefined) throw error
      return result
    },
    async http(method, path, body, key) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(started.url + path, { method, headers: headersOf(key), ...sent })
      return { status: response.status, body: await response.json() }
    },
    async restart(file = given) {
      await started.host.stop()
      Object.assign(started, await open(file))
    },
    async stop() {
      await started.host.stop()
      if (database) await dropDeployment(database)
      rmSync(directory, { recursive: true, force: true })
      answers.requireListedErrors()
    },
  }
  return started
}
