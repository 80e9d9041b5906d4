import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built command line, as users run it. */
export const command = fileURLToPath(new URL('../../node/bin/understudy.js', import.meta.url))

export type Ended = { code: number | null; stdout: string; stderr: string }

export type CommandRun = {
  child: ChildProcess
  ended: Promise<Ended>
  /** The URL it listens on. Rejects with `EndedEarly`. */
  listening: Promise<string>
}

export type CommandOptions = {
  cwd?: string
  /** The command has nothing else of this process's environment but the path. */
  environment?: Record<string, string>
  /** The program and the arguments that come before node's, such as `setpriv`, which runs it as another user. */
  wrapper?: readonly string[]
}

/** Runs the command; it does not outlive this process. */
export function runCommand(args: readonly string[], options: CommandOptions = {}): CommandRun {
  const [program = '', ...rest] = [...(options.wrapper ?? []), process.execPath, command, ...args]
  const child = spawn(program, rest, {
    cwd: options.cwd,
    // The check of the live chain would be among the requests that tests and benchmarks count.
    env: { PATH: process.env.PATH, UNDERSTUDY_CHECK_FIDELITY: 'off', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      process.removeListener('exit', kill)
      resolve({ code, stdout, stderr })
    })
  })
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const url = /Listening on (\S+)/.exec(stdout)?.[1]
      if (url) resolve(url)
    })
    ended.then((result) => reject(new EndedEarly(result)), reject)
  })
  listening.catch(() => {})
  return { child, ended, listening }
}

/** A network in a process of its own. */
export type Understudy = {
  readonly url: string
  readonly process: ChildProcess
  /** Sends a signal, SIGTERM by default, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>
}

/** Runs `understudy start`, on a free port unless the arguments name one. Throws `EndedEarly`. */
export async function startUnderstudy(args: readonly string[], options?: CommandOptions): Promise<Understudy> {
  const { child, ended, listening } = runCommand(['start', '--port', '0', ...args], options)
  return {
    url: await listening,
    process: child,
    end(signal = 'SIGTERM') {
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
