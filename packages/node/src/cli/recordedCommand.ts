import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a command with the URL of a network in its environment, and returns its exit code. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  url: string,
  signal: Promise<void>,
): Promise<number> {
  const environment = { ...process.env, UNDERSTUDY_RPC_URL: url, ETH_RPC_URL: url }
  const child = spawn(program, args, { stdio: 'inherit', env: environment })
  process.once('exit', () => child.kill())
  void signal.then(() => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, name) => resolve(code ?? 128 + (name ? constants.signals[name] : 0)))
  })
}
