import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A host name of one process that can stop resolving. */
export type HostName = {
  name: string
  /** Goes before the program's name; gives it a hosts file of its own. */
  wrapper: readonly string[]
  resolves(does: boolean): void
  remove(): void
}

const script = 'mount --bind "$0" /etc/hosts && exec "$@"'

/** Makes one; `undefined` where this user may not mount. */
export function createHostName(): HostName | undefined {
  const name = 'live-chain.test'
  const directory = mkdtempSync(join(tmpdir(), 'understudy-hosts-'))
  const file = join(directory, 'hosts')
  const resolves = (does: boolean) =>
    writeFileSync(file, does ? `127.0.0.1 localhost ${name}\n` : '127.0.0.1 localhost\n')
  resolves(true)
  const wrapper = ['unshare', '--mount', 'sh', '-c', script, file]
  try {
    execFileSync(wrapper[0] as string, [...wrapper.slice(1), 'true'], { stdio: 'ignore' })
  } catch {
    rmSync(directory, { recursive: true })
    return undefined
  }
  return { name, wrapper, resolves, remove: () => rmSync(directory, { recursive: true }) }
}
