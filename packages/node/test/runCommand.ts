import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { placeOfDirectory } from './testDatabase.ts'

/** The built command line. */
export const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

export type Run = {
  child: ChildProcess
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** The URL it listens on. */
  ready: Promise<string>
}

/** Runs the built command in a directory, with nothing of this process's environment but the path; one network for each directory. */
export function runCommand(args: readonly string[], cwd: string, environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...placeOfDirectory(cwd), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      const url = /Listening on (\S+)/.exec(stdout)?.[1]
      if (url) resolve(url)
    })
    child.once('close', () => reject(new Error(`it ended: ${stderr}`)))
  })
  ready.catch(() => {})
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { child, ended, ready }
}
