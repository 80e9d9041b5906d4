import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { outputFolders } from '@understudy/client/artifacts'
import { systemClock, type Timer } from '../../shared/clock.ts'

/** A compiler writes many files: writes without a pause of this length count as one change. */
const quietMs = 300

/** Watches the build output of a project. Each call of the returned function resolves at the next change. */
export function watchOutput(project: string): () => Promise<void> {
  let wake: (() => void) | undefined
  let timer: Timer | undefined
  let changed = false
  const noticed = () => {
    timer?.cancel()
    timer = systemClock.after(quietMs, () => {
      changed = true
      wake?.()
    })
  }
  const watchers = new Map<string, FSWatcher>()
  const watchFolder = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
    const path = join(project, folder)
    if (existsSync(path))
      watchers.set(
        folder,
        watch(path, { recursive: true }, noticed).on('error', () => {}),
      )
  }
  outputFolders.forEach(watchFolder)
  // A folder may be created later, or deleted and recreated by the build tool.
  watch(project, (_event, name) => {
    const folder = outputFolders.find((each) => each === name)
    if (folder === undefined) return
    watchFolder(folder)
    noticed()
  })
  return async () => {
    if (!changed)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    changed = false
  }
}
