import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A Node.js program that runs until `stop`; what it printed is in the error of `requireRunning`. */
export type IndexerProcess = {
  requireRunning(): void
  /** It computes nothing until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export function startIndexerProcess(
  args: readonly string[],
  { cwd, environment }: { cwd: string; environment: Record<string, string> },
): IndexerProcess {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return {
    requireRunning() {
      if (child.exitCode !== null) throw new Error(`the indexer ended:\n${output}`)
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    },
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
