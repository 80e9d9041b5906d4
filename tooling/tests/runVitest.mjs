import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/**
 * Runs vitest once. In CI, the files that fail are tried again after it, alone and in a new process: a second try of a single
 * test would find what the first one left, on the machine that was too busy for it. They are named, so that a test that fails
 * now and then is seen.
 *
 * `run(args, environment)` starts Node.js and answers its exit code. Answers the exit code, and `tryAgain`, where there is
 * something to try again, which answers the exit code of that.
 *
 * @example const { code, tryAgain } = await runVitest(run, ['run', 'packages/evm'])
 */
export async function runVitest(run, args, environment = {}) {
  if (!env.CI) return { code: await run([vitest, ...args], environment) }
  const directory = mkdtempSync(join(tmpdir(), 'understudy-tests-'))
  const list = join(directory, 'failed-files')
  const code = await run([vitest, ...args], { ...environment, FAILED_FILES: list })
  const failed = existsSync(list)
    ? readFileSync(list, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  rmSync(directory, { recursive: true })
  if (failed.length === 0) return { code }
  return { code, tryAgain: () => tryAgain(run, args, environment, failed) }
}

async function tryAgain(run, args, environment, failed) {
  // What chose the files of the first try chooses none now.
  const options = args.filter((word, index) => index === 0 || (word.startsWith('--') && !word.startsWith('--shard')))
  let code = 0
  for (const project of new Set(failed.map((each) => each.project))) {
    const files = failed.filter((each) => each.project === project).map(({ file }) => file)
    const status = await run([vitest, ...options, `--project=${project}`, ...files], environment)
    if (status === 0) for (const file of files) stdout.write(`passed at the second try: ${file} (${project})\n`)
    else code = status
  }
  return code
}
