import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit, getuid } from 'node:process'

/**
 * Runs a command with a PostgreSQL of its own, which it finds at TEST_DATABASE_URL: a fresh one, in a directory and on a port of
 * its own, gone afterwards. `node tooling/withPostgres.mjs npm test`.
 * Without PostgreSQL the command runs all the same and says what it leaves out, unless --required stands before it. --durable
 * makes it write to disk as it does for users: what is measured needs that, tests do not.
 */

const words = argv.slice(2)
const flags = words.splice(
  0,
  Math.max(
    0,
    words.findIndex((word) => !word.startsWith('--')),
  ),
)
const [command, ...args] = words

const binaries = findBinaries()
if (env.TEST_DATABASE_URL || !binaries) {
  if (!env.TEST_DATABASE_URL) {
    process.stderr.write('PostgreSQL is not installed (apt-get install postgresql): its tests are left out\n')
    if (flags.includes('--required')) exit(1)
  }
  exit(await run(command, args))
}

const directory = mkdtempSync(join(tmpdir(), 'understudy-postgres-'))
const identity = unprivileged()
if (identity.uid !== undefined) chownSync(directory, identity.uid, identity.gid)
const data = join(directory, 'data')
const password = 'password of the tests'
const passwordFile = join(directory, 'password')
writeFileSync(passwordFile, password, { mode: 0o644 })
const call = (program, ...words) =>
  execFileSync(join(binaries, program), words, { ...identity, cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })

call(
  'initdb',
  '-D',
  data,
  '-U',
  'tests',
  '-E',
  'UTF8',
  '--locale=C.UTF-8',
  '-A',
  'scram-sha-256',
  `--pwfile=${passwordFile}`,
)
const port = await freePort()
const speed = flags.includes('--durable') ? '' : '-c fsync=off -c full_page_writes=off'
const settings = `-p ${port} -k ${directory} -c listen_addresses=127.0.0.1 -c max_connections=200 ${speed}`
call('pg_ctl', '-D', data, '-w', '-s', '-l', join(directory, 'log'), '-o', settings, 'start')
let code = 1
try {
  code = await run(command, args, {
    TEST_DATABASE_URL: `postgres://tests:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
  })
} finally {
  call('pg_ctl', '-D', data, '-w', '-s', '-m', 'immediate', 'stop')
  rmSync(directory, { recursive: true, force: true })
}
exit(code)

/** The folder of the newest installed version; `undefined` when there is none. */
function findBinaries() {
  const versions = '/usr/lib/postgresql'
  const folders = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : []
  const paths = [...(env.PATH ?? '').split(':'), ...folders.sort()]
  return paths.reverse().find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'postgres')))
}

/** PostgreSQL refuses to run as root: then it gets a user made for it. */
function unprivileged() {
  if (getuid?.() !== 0) return {}
  const name = 'understudy-postgres'
  const id = (option) => Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
    return { uid: id('-u'), gid: id('-g') }
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Answers the exit code. A signal from the terminal reaches the command too: it is waited for. */
function run(program, args, environment = {}) {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...env, ...environment } })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
