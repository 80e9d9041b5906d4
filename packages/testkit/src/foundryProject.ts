import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCertificate } from './certificate.ts'
import { foundryBinary } from './foundryBinary.ts'

/** A Foundry project in a directory of its own, and the tools to use it, without the network that Foundry wants for compilers. */
export type FoundryProject = {
  directory: string
  /** With which forge and cast find their compiler. */
  environment: NodeJS.ProcessEnv
  /** Runs forge or cast there, and answers what it printed. Rejects with its output when it fails. */
  run(tool: 'forge' | 'cast', ...args: string[]): Promise<string>
  stop(): Promise<void>
}

const compiler = fileURLToPath(new URL('../bin/solc.mjs', import.meta.url))
const require = createRequire(import.meta.url)
const version = require('solc/package.json').version as string
const fullVersion = (require('solc') as { version(): string }).version().replace('.Emscripten.clang', '')

/** `files` by their paths. The compiler is the one of npm. */
export async function createFoundryProject(files: Record<string, string>): Promise<FoundryProject> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-foundry-'))
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  write('foundry.toml', `[profile.default]\nsrc = "src"\nout = "out"\nlibs = []\nsolc = "${compiler}"\n`)
  // Where Foundry looks for compilers that it has.
  const installed = join('home', '.svm', version, `solc-${version}`)
  write(installed, `#!/bin/sh\nexec "${process.execPath}" "${compiler}" "$@"\n`)
  chmodSync(join(directory, installed), 0o755)
  const list = await startCompilerList(join(directory, 'home'))
  const env = {
    PATH: process.env.PATH,
    HOME: join(directory, 'home'),
    FOUNDRY_OFFLINE: 'true',
    HTTPS_PROXY: list.url,
    NO_PROXY: '127.0.0.1',
    SSL_CERT_FILE: list.certificate,
  }
  return {
    directory,
    environment: env,
    async run(tool, ...args) {
      try {
        const { stdout } = await promisify(execFile)(foundryBinary(tool), args, { cwd: directory, env })
        return stdout
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${tool} ${args[0]}: ${stdout}\n${stderr}`, { cause: error })
      }
    },
    async stop() {
      await list.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Stands in for binaries.soliditylang.org, where forge looks up the commit of a compiler: a proxy with a certificate of its own. */
async function startCompilerList(directory: string) {
  const { key, cert, authority } = await createCertificate(directory, 'binaries.soliditylang.org')
  const tls = createTlsServer({ key, cert }, (_request, response) => response.end(`soljson-v${fullVersion}.js\n`))
  await listen(tls)
  const proxy = createHttpServer().on('connect', (_request, client) => {
    const server = connect(portOf(tls), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy())
  })
  await listen(proxy)
  return {
    url: `http://127.0.0.1:${portOf(proxy)}`,
    certificate: authority,
    async stop() {
      for (const server of [proxy, tls]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
