import { type ChildProcess, exec } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Anvil, type CommandRun, command, startAnvil } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually } from '../startNetwork.ts'

let directory: string
let running: ChildProcess[]
let live: Anvil
beforeAll(async () => {
  live = await startAnvil()
})
afterAll(() => live?.stop())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-cli-'))
  running = []
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

function run(args: readonly string[], environment: Record<string, string> = {}): CommandRun {
  const started = runCommand(args, directory, environment)
  running.push(started.child)
  return started
}

const start = (...args: string[]) => run(['start', '--port', '0', ...args])
/** Takes half the time of the sample chain, which is made anew at each start. */
const startFork = (...args: string[]) => start('--fork-url', live.url, ...args)

async function shell(line: string): Promise<string> {
  return (await promisify(exec)(line)).stdout
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('understudy', () => {
  it('has been built', () => {
    const built = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url))
    expect(existsSync(built), 'run npm run build first').toBe(true)
  })

  it('prints the help when nothing is asked of it', async () => {
    expect(await run([]).ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: understudy .*start/s) })
  })

  it.skipIf(process.platform !== 'linux')('refuses a data directory that cannot be created', async () => {
    const { code, stderr } = await start('--data-dir', '/proc/understudy/network').ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/the data directory \/proc\/understudy\/network\S* cannot be used: ENOENT/)
  })

  it('prints its version', async () => {
    expect(await run(['--version']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it.skipIf(process.platform !== 'linux' || !process.execve || availableParallelism() > 4)(
    'leaves a core to requests while it compiles, in the same process and with the same arguments',
    async () => {
      const { child, listening } = start('--mine', 'manual')
      await listening
      const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0')
      expect(words).toEqual([
        process.execPath,
        '--v8-pool-size=0',
        command,
        'start',
        '--port',
        '0',
        '--mine',
        'manual',
        '',
      ])
    },
  )

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
      'error: UNDERSTUDY_MINE: expected instant, instant:SECONDS, manual, replay or interval:SECONDS',
    ],
    [
      ['start'],
      { UNDERSTUDY_FORKURL: 'x' },
      'error: UNDERSTUDY_FORKURL: is not an option; did you mean UNDERSTUDY_FORK_URL?',
    ],
    [['start', '--host', '0.0.0.0'], {}, 'error: --host: other machines can reach 0.0.0.0'],
  ])('refuses %j %j with exit code 2 and touches nothing', async (args, environment, message) => {
    const { code, stdout, stderr } = await run(args, environment).ended
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(existsSync(join(directory, '.understudy'))).toBe(false)
  })
})

describe('the configuration file', () => {
  const write = (name: string, content: unknown) => writeFileSync(join(directory, name), JSON.stringify(content))

  it('sets options by their names; the environment and flags win over it', async () => {
    write('understudy.config.json', {
      port: 0,
      'fork-url': live.url,
      'chain-id': 71,
      accounts: 3,
      'data-dir': 'from-file',
      mine: 'manual',
    })
    const { listening, ended, child } = run(['start', '--accounts', '1'], { UNDERSTUDY_DATA_DIR: 'from-environment' })
    await listening
    child.kill('SIGTERM')
    const { stdout } = await ended
    expect(stdout).toContain('Chain id    71')
    expect(stdout).toContain(join(directory, 'from-environment'))
    expect(stdout.match(/^ {2}\(\d\)/gm)).toHaveLength(1)
  })

  it.each([
    [{ prot: 1 }, 'error: understudy.config.json: prot: is not an option; did you mean port?'],
    [{ port: 'x' }, 'error: understudy.config.json: port: expected a port from 0 to 65535, got "x"'],
    [[], 'error: understudy.config.json: expected a JSON object'],
  ])('is refused when it is not right: %j', async (content, message) => {
    write('understudy.config.json', content)
    const { code, stderr } = await run(['start']).ended
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('must be there when it is named', async () => {
    const { code, stderr } = await run(['start', '--config', 'other.json']).ended
    expect([code, stderr]).toEqual([2, expect.stringContaining('error: other.json: ENOENT')])
  })
})

describe('understudy start', () => {
  it('says what a newcomer needs, serves, and stops cleanly on a signal', async () => {
    const { child, listening, ended } = start()
    const url = await listening
    const health = await fetch(`${url}/health`)
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ready' }])
    child.kill('SIGTERM')
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toContain(`JSON-RPC    ${url}`)
    expect(stdout).toContain(`Data        ${join(directory, '.understudy', 'sample')}`)
    expect(stdout).toContain('fork of the built-in sample chain')
    expect(stdout).toContain(
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266  0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    )
  })

  it('ends at once by another signal, but not by the same one that npm hands on', async () => {
    const { child, listening, ended } = startFork()
    const url = await listening
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    // A request that never ends holds a clean stop up for a second.
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{')
    await once(socket, 'connect')
    await fetch(`${url}/health`)
    const before = performance.now()
    child.kill('SIGINT')
    const again = setInterval(() => child.kill('SIGINT'), 20)
    const { code } = await ended
    clearInterval(again)
    socket.destroy()
    expect(code).toBe(130)
    expect(performance.now() - before).toBeGreaterThan(400)
  })

  it('does not print a mnemonic of your own, nor its keys', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const { child, listening, ended } = startFork('--mnemonic', mnemonic, '--accounts', '1', '--balance', '1.5')
    await listening
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect(code).toBe(0)
    expect(stdout).toContain(
      "funded with 1.5 ETH each\n  (0) 0x58A57ed9d8d624cBD12e2C467D34787555bB1b25\n  Mnemonic    *** (your own), at m/44'/60'/0'/0/N",
    )
    expect(stdout + stderr).not.toMatch(/winner|0x[\da-f]{64}/)
  })

  it('shows requests that work: with a placeholder for the key where keys are asked for', async () => {
    const { listening, child, ended } = start('--api-key', 'rule-rule-rule-rule:admin')
    await listening
    child.kill('SIGTERM')
    const { stdout } = await ended
    const lines = stdout.split('\n').filter((line) => line.includes('curl'))
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toContain(` -H 'Authorization: Bearer YOUR_KEY' -d '{`)
    expect(stdout).not.toContain('rule-rule')
    const command = lines[1]?.trim().replace('YOUR_KEY', 'rule-rule-rule-rule') ?? ''
    const again = start('--api-key', 'rule-rule-rule-rule:admin')
    const url = await again.listening
    const answer = await shell(command.replace(/http:\S+/, url))
    expect(JSON.parse(answer)).toMatchObject({ result: { balance: '5000000000000000000' } })
  })

  it('is unhealthy while it can store nothing, and answers what it knows', async () => {
    const { child, listening } = startFork()
    const url = await listening
    const health = async () => {
      const response = await fetch(`${url}/health`)
      return [response.status, await response.json()] as const
    }
    // No file may grow, nor be written to: what a full disk does.
    const limitFiles = (bytes: string) => shell(`prlimit --pid ${child.pid} --fsize=${bytes}:unlimited`)
    await limitFiles('1')
    const problem = expect.stringMatching(/^nothing can be stored: /)
    expect((await eventually(health, ([status]) => status === 503))[1]).toMatchObject({
      status: 'failing',
      problems: [problem],
    })
    const answer = await fetch(url, { method: 'POST', body: '{"id":1,"method":"eth_chainId","params":[]}' })
    expect([answer.status, await answer.json()]).toMatchObject([200, { result: expect.any(String) }])
    await limitFiles('unlimited')
    expect((await eventually(health, ([status]) => status === 200))[1]).toMatchObject({ status: 'ready', problems: [] })
  })

  it('fails with exit code 1 when upstream is down, and does not show secrets', async () => {
    const port = await closedPort()
    const url = `http://me:secret@127.0.0.1:${port}/0123456789abcdef0123`
    const { code, stderr } = await start('--fork-url', url, '--upstream-timeout', '1000').ended
    expect(code).toBe(1)
    expect(stderr).toContain(`error: the live chain cannot be reached: http://`)
    expect(stderr).not.toMatch(/secret|0123456789abcdef/)
  })

  it('fails with exit code 1 when the data directory is in use', async () => {
    await start().listening
    const { code, stderr } = await start().ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: the data directory \.understudy\S+ is in use by another process/m)
  })

  it('fails with exit code 1 when the port is in use', async () => {
    const url = await startFork('--data-dir', 'one').listening
    const { code, stderr } = await run([
      'start',
      '--fork-url',
      live.url,
      '--data-dir',
      'two',
      '--port',
      new URL(url).port,
    ]).ended
    expect(code).toBe(1)
    expect(stderr).toContain('the port is in use. Stop the program that uses it, or choose another with --port')
  })

  it('continues the same network at the next start', async () => {
    const first = startFork()
    const url = await first.listening
    const rpc = async (at: string, method: string, params: unknown[]) => {
      const response = await fetch(at, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })
      return ((await response.json()) as { result: unknown }).result
    }
    const account = '0x00000000000000000000000000000000000000aa'
    await rpc(url, 'dev_setBalance', [account, '7'])
    await rpc(url, 'dev_impersonateAccount', [account])
    first.child.kill('SIGINT')
    expect((await first.ended).code).toBe(0)
    const again = await startFork().listening
    expect(await rpc(again, 'eth_getBalance', [account])).toBe('0x7')
    expect(await rpc(again, 'dev_getImpersonatedAccounts', [])).toEqual([account])
  })
})
