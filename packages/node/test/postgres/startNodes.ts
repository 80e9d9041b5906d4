import type { Anvil, CommandRun } from '@understudy/testkit'
import { connectClient, type TestClient, testAccounts } from '@understudy/testkit'
import { runCommand } from '../runCommand.ts'
import type { TestLocation } from '../testDatabase.ts'

/** A process that is one of the nodes of a network. */
export type NodeProcess = {
  url: string
  client: TestClient
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** What `GET /health` says of its part. */
  status(): Promise<{ role: 'sealer' | 'reader'; id: string; sealer: string | null; behind: number }>
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  ended: CommandRun['ended']
}

/** Starts one more node of the network that a schema keeps. */
export async function startNode(
  location: TestLocation,
  upstream: Pick<Anvil, 'url'>,
  directory: string,
): Promise<NodeProcess> {
  const run = runCommand(
    ['start', '--fork-url', upstream.url, '--port', '0', '--database-url', location.url, '--network', location.network],
    directory,
  )
  const url = await run.listening
  const client = await connectClient(url, testAccounts[0])
  return {
    url,
    client,
    rpc: (method, ...params) => client.request({ method, params } as never, { retryCount: 0 }),
    status: async () => ((await (await fetch(`${url}/health`)).json()) as { node: never }).node,
    signal: (name) => void run.child.kill(name),
    ended: run.ended,
  }
}
