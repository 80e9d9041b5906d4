import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** The code of a guide as one module, which tells a function what the guide prints; and what the guide says that it prints. */
function codeOf(guide: string) {
  const text = readFileSync(join(root, 'docs', guide), 'utf8')
  const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join('\n')
  const printed = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, expected]) => expected)
  return { code: code.replaceAll(/^console\.log\(/gm, 'globalThis.printed('), printed }
}

it.each(['overrides-and-tracking.md', 'workspaces.md'])(
  'the examples of %s run on the sample chain and print what they say',
  async (guide) => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-guide-'))
    const run = runCommand(['start', '--port', '0', '--data-dir', directory], directory)
    // Inside the repository, so that its packages are found.
    const modules = join(root, 'node_modules/.guides')
    mkdirSync(modules, { recursive: true })
    const file = join(modules, `${guide}.mjs`)
    const { code, printed } = codeOf(guide)
    writeFileSync(file, code.replace('process.env.UNDERSTUDY_RPC_URL', JSON.stringify(await run.listening)))
    const lines: string[] = []
    const print = (...values: unknown[]) =>
      lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
    Object.assign(globalThis, { printed: print })
    try {
      await import(/* @vite-ignore */ pathToFileURL(file).href)
    } finally {
      run.child.kill('SIGTERM')
      await run.ended
      for (const path of [file, directory]) rmSync(path, { recursive: true, force: true })
    }
    expect(printed.length).toBeGreaterThan(5)
    expect(lines).toEqual(printed)
  },
)
