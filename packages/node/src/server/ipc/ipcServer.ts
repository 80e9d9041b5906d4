import { chmod, lstat, unlink } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { NetworkError } from '../../shared/errors.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'

type Needs = {
  /** Serves a connection. */
  welcome(socket: Socket): void
  logger: Logger
}

/** Only the user of the process may connect. */
const ownerOnly = 0o600
const isPipe = (path: string) => process.platform === 'win32' && path.startsWith('\\\\')

/**
 * A local socket at a path. A socket that a killed process left there is replaced; other files are not. Throws
 * `CONFIG_INVALID`.
 */
export function createIpcServer(path: string, { welcome, logger }: Needs): Service {
  const server = createServer(welcome)
  // Errors of listening are those of `start`.
  server.on('error', (error) => logger.debug({ err: error, path }, 'The local socket failed'))

  async function listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.once('listening', () => {
        server.off('error', reject)
        resolve()
      })
      // The file must never be open to others. Threads cannot set the mask, and set the mode afterwards only.
      const mask = isMainThread ? process.umask(0o177) : undefined
      try {
        server.listen(path)
      } finally {
        if (mask !== undefined) process.umask(mask)
      }
    })
    if (!isPipe(path)) await chmod(path, ownerOnly)
  }

  return {
    async start() {
      try {
        if (!isPipe(path)) await removeStale(path)
        await listen()
      } catch (error) {
        if (error instanceof NetworkError) throw error
        const { code, message } = error as NodeJS.ErrnoException
        throw refuse(`cannot listen on ${path}: ${code ?? message}. Choose another path`, error)
      }
      logger.info({ path }, 'Listens on a local socket')
    },
    async stop() {
      if (!server.listening) return
      // Connections were closed before.
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const refuse = (problem: string, cause?: unknown) =>
  new NetworkError('CONFIG_INVALID', { option: '--ipc', problem }, { cause })

/** Removes a socket on which no process listens. */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) return
  if (!found.isSocket()) throw refuse(`${path} is there, and is no socket. Choose another path`)
  if (await answers(path)) throw refuse(`another process listens on ${path}. Choose another path`)
  await unlink(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // One that may not be opened is used by another user.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'))
  })
}
