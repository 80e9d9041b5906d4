import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const command = join(dirname(createRequire(import.meta.url).resolve('understudy')), '../cli/main.js')

/** The built command, running as users run it. */
export type Understudy = {
  readonly url: string
  readonly process: ChildProcess
  /** Sends a signal, SIGTERM by default, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>
}

export type Ended = { code: number | null; stdout: string; stderr: string }

/** The program and the arguments that come before node's, such as `setpriv`, which runs it as another user. */
type Options = { wrapper?: readonly string[]; environment?: Record<string, string> }

/** Runs `understudy start` on a free port, with nothing of this process's environment but the path. Throws `EndedEarly`. */
export async function startUnderstudy(args: readonly string[], options: Options = {}): Promise<Understudy> {
  const [program, ...rest] = [...(options.wrapper ?? []), process.execPath, command, 'start', '--port', '0', ...args]
  const child = spawn(program as string, rest, {
    env: { PATH: process.env.PATH, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let [stdout, stderr] = ['', '']
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      process.removeListener('exit', kill)
      resolve({ code, stdout, stderr })
    })
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      const listening = /Listening on (\S+)/.exec(stdout)?.[1]
      if (listening) resolve(listening)
    })
    ended.then((result) => reject(new EndedEarly(result)), reject)
  })
  return {
    url,
    process: child,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** The command ended before it listened. */
export class EndedEarly extends Error {
  readonly ended: Ended

  constructor(ended: Ended) {
    super(`understudy ended with code ${ended.code}: ${ended.stderr}`)
    this.name = 'EndedEarly'
    this.ended = ended
  }
}
