import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { foundryBinary } from './foundryBinary.ts'
import { postJsonRpc } from './jsonRpc.ts'

export type AnvilOptions = {
  /** Seconds between blocks. `undefined` mines each transaction at once. */
  blockTime?: number
  /** Such as `prague`; the newest that anvil knows by default. */
  hardfork?: string
  /** 31337 by default. */
  chainId?: number
  /** How many funded accounts, 10 by default. They are those of `testAccounts`. */
  accounts?: number
  /** A free one by default. */
  port?: number
  /** Further arguments of anvil's command line. */
  args?: readonly string[]
}

export type Anvil = {
  /** `http://127.0.0.1:PORT`; WebSocket is served on the same port. */
  readonly url: string
  readonly port: number
  /** Sends one JSON-RPC call. Throws `JsonRpcError` with the answer's error object. */
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>
}

/**
 * Starts the real anvil (from npm) on a free port and resolves when it listens.
 * It ends with `stop()`, and also when this process ends, whatever ends it: it lives as long as its standard input is open.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const args = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--color', 'never']
  if (options.blockTime !== undefined) args.push('--block-time', String(options.blockTime))
  if (options.hardfork !== undefined) args.push('--hardfork', options.hardfork)
  if (options.chainId !== undefined) args.push('--chain-id', String(options.chainId))
  if (options.accounts !== undefined) args.push('--accounts', String(options.accounts))
  args.push(...(options.args ?? []))

  const child = spawnTied(foundryBinary('anvil'), args)
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => child.stdin.destroy())

  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stderr.on('data', collect)
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      collect(chunk)
      const match = /Listening on [\d.]+:(\d+)/.exec(output)
      if (match) resolve(Number(match[1]))
    })
    child.once('error', reject)
    exited.then(([code]) => reject(new Error(`anvil ended with code ${code} before it listened:\n${output}`)), reject)
  })
  // Goes on reading, so that the pipes never fill; keeps nothing.
  child.stdout.removeAllListeners('data').resume()
  child.stderr.removeAllListeners('data').resume()

  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    rpc: (method, params = []) => postJsonRpc(url, method, params),
    async stop() {
      process.removeListener('exit', kill)
      child.stdin.end()
      await exited
    },
  }
}

/** Spawns a program that is killed when our end of its standard input closes, which the system does for us if we are killed. */
function spawnTied(path: string, args: readonly string[]) {
  if (process.platform === 'win32') return spawn(path, args)
  const script = 'exec 3<&0; "$0" "$@" 3<&- & pid=$!; { read _ <&3; kill -9 $pid; } 2>/dev/null & wait $pid'
  return spawn('/bin/sh', ['-c', script, path, ...args])
}
