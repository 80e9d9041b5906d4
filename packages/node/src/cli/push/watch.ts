import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { outputFolders } from './artifacts.ts'

/** A compiler writes many files: what it writes within this time of quiet is one change. */
const quietMs = 300

/** Watches the compiled output of a project from now on. Each call of what it returns resolves at the next change. */
export function watchOutput(project: string): () => Promise<void> {
  let wake: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let changed = false
  const noticed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      changed = true
      wake?.()
    }, quietMs)
  }
  for (const folder of outputFolders.map((name) => join(project, name)).filter((path) => existsSync(path)))
    watch(folder, { recursive: true }, noticed)
  return async () => {
    if (!changed)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    changed = false
  }
}
