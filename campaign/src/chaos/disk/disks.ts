import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const temporaryDirectory = () => mkdtempSync(join(tmpdir(), 'understudy-disk-'))

/** A file system of its own size in memory, which can be filled and made read-only. */
export type SmallDisk = {
  directory: string
  /** Fills it. */
  fill(): void
  /** Frees that space. */
  empty(): void
  readOnly(isReadOnly: boolean): void
  remove(): void
}

/** Mounts one; `undefined` where this user may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = temporaryDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    rmSync(directory, { recursive: true })
    return undefined
  }
  const filler = join(directory, 'filler')
  return {
    directory,
    fill() {
      const file = openSync(filler, 'a')
      for (let size = 65_536; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size))
        } catch {
          size = Math.floor(size / 2)
        }
      }
      closeSync(file)
    },
    empty: () => unlinkSync(filler),
    readOnly: (isReadOnly) =>
      void execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, directory], { stdio: 'ignore' }),
    remove() {
      execFileSync('umount', ['--lazy', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
