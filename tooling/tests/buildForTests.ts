import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Builds what tests need that run in this process, unless it is there: the engine, and the contracts. What `npm test` runs is
 * built before. Tests of the command and of the dashboard need `npm run build`.
 */
export function setup(): void {
  if (process.env.IS_BUILT) return
  const builder = fileURLToPath(new URL('../build.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [builder, '--tests'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('What the tests need could not be built')
}
