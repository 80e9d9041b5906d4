import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

let directory: string
let running: ChildProcess[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-cli-'))
  running = []
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

type Run = {
  child: ChildProcess
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  ready: Promise<string>
}

/** Runs the built command in a directory of its own. `ready` is the URL it listens on. */
function run(args: readonly string[], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
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

const start = (...args: string[]) => run(['start', '--port', '0', ...args])

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('understudy', () => {
  it('has been built', () => expect(existsSync(command), 'run npm run build first').toBe(true))

  it('prints the help when nothing is asked of it', async () => {
    expect(await run([]).ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: understudy .*start/s) })
  })

  it('prints its version', async () => {
    expect(await run(['--version']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it('lists every option in the help of start', async () => {
    const { code, stdout } = await run(['start', '--help']).ended
    expect(code).toBe(0)
    for (const flag of [
      '--fork-url <URL>',
      '--no-follow-head',
      '--mine <MODE>',
      '--data-dir <DIR>',
      'UNDERSTUDY_FORK_URL',
      'Exit codes',
    ])
      expect(stdout).toContain(flag)
  })

  it.each([
    [['strt'], {}, "error: unknown command 'strt'\n(Did you mean start?)"],
    [['start', '--prot', '1'], {}, "error: unknown option '--prot'\n(Did you mean --port?)"],
    [['start', '--port', 'x'], {}, 'error: --port: expected a port from 0 to 65535, got "x"'],
    [['start', '--fork-url'], {}, "error: option '--fork-url <URL>' argument missing"],
    [['start', 'more'], {}, "error: too many arguments for 'start'"],
    [
      ['start'],
      { UNDERSTUDY_MINE: 'never' },
      'error: UNDERSTUDY_MINE: expected instant, manual, replay or interval:SECONDS',
    ],
    [
      ['start'],
      { UNDERSTUDY_FORKURL: 'x' },
      'error: UNDERSTUDY_FORKURL: is not known; did you mean UNDERSTUDY_FORK_URL?',
    ],
    [['start', '--host', '0.0.0.0'], {}, 'error: --host: others can reach 0.0.0.0'],
  ])('refuses %j %j with exit code 2 and touches nothing', async (args, environment, message) => {
    const { code, stdout, stderr } = await run(args, environment).ended
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(existsSync(join(directory, '.understudy'))).toBe(false)
  })
})

describe('understudy start', () => {
  it('says what a newcomer needs, serves, and stops cleanly on a signal', async () => {
    const { child, ready, ended } = start()
    const url = await ready
    const health = await fetch(`${url}/health`)
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ready' }])
    const before = Date.now()
    child.kill('SIGTERM')
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(Date.now() - before).toBeLessThan(2000)
    expect(stdout).toContain(`JSON-RPC    ${url}`)
    expect(stdout).toContain(`Data        ${join(directory, '.understudy', 'sample')}`)
    expect(stdout).toContain('fork of the built-in sample chain')
    expect(stdout).toContain(
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266  0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    )
  })

  it('does not print a mnemonic of your own, nor its keys', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const { child, ready, ended } = start('--mnemonic', mnemonic, '--accounts', '1', '--balance', '1.5')
    await ready
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect(code).toBe(0)
    expect(stdout).toContain(
      'funded with 1.5 ETH each\n  (0) 0x58A57ed9d8d624cBD12e2C467D34787555bB1b25\n  Mnemonic    *** (your own)',
    )
    expect(stdout + stderr).not.toMatch(/winner|0x[\da-f]{64}/)
  })

  it('fails with exit code 1 when upstream is down, and does not show secrets', async () => {
    const port = await closedPort()
    const { code, stderr } = await start('--fork-url', `http://me:secret@127.0.0.1:${port}/0123456789abcdef0123`).ended
    expect(code).toBe(1)
    expect(stderr).toContain(`error: the live chain cannot be reached: http://`)
    expect(stderr).not.toMatch(/secret|0123456789abcdef/)
  })

  it('fails with exit code 1 when the data directory is in use', async () => {
    await start().ready
    const { code, stderr } = await start().ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: the data directory \.understudy\S+ is in use by another process/m)
  })

  it('fails with exit code 1 when the port is in use', async () => {
    const url = await start('--data-dir', 'one').ready
    const { code, stderr } = await run(['start', '--data-dir', 'two', '--port', new URL(url).port]).ended
    expect(code).toBe(1)
    expect(stderr).toContain('the port is in use. Stop what uses it, or choose another with --port')
  })

  it('goes on with the same network at the next start', async () => {
    const first = start()
    const url = await first.ready
    const rpc = async (at: string, method: string, params: unknown[]) => {
      const response = await fetch(at, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })
      return ((await response.json()) as { result: unknown }).result
    }
    const account = '0x00000000000000000000000000000000000000aa'
    await rpc(url, 'dev_setBalance', [account, '7'])
    await rpc(url, 'dev_impersonateAccount', [account])
    first.child.kill('SIGINT')
    expect((await first.ended).code).toBe(0)
    const again = await start().ready
    expect(await rpc(again, 'eth_getBalance', [account])).toBe('0x7')
    expect(await rpc(again, 'dev_getImpersonatedAccounts', [])).toEqual([account])
  })
})
