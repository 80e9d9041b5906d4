import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

let folder: string
let clone: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-first-change-'))
  clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  linkModules('.')
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  for (const folder of [...packages, 'bench', 'campaign', 'e2e']) {
    linkModules(folder)
    // What the build made.
    for (const made of ['dist', 'generated', 'tsconfig.tsbuildinfo']) {
      const path = join(folder, made)
      if (existsSync(join(root, path))) cpSync(join(root, path), join(clone, path), { recursive: true })
    }
  }
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Installs what is installed here, by links; the packages of the project are those of the clone. */
function linkModules(folder: string): void {
  const installed = join(root, folder, 'node_modules')
  if (!existsSync(installed)) return
  const modules = join(clone, folder, 'node_modules')
  mkdirSync(join(modules, '@understudy'), { recursive: true })
  for (const name of readdirSync(installed).filter((each) => each !== '@understudy' && each !== '.cache'))
    symlinkSync(join(installed, name), join(modules, name))
  if (folder === '.')
    for (const name of readdirSync(join(clone, 'packages')))
      symlinkSync(join(clone, 'packages', name), join(modules, '@understudy', name))
}

/** The files to write and the commands to run, in the order of the walk. */
function stepsOf(walk: string): { file?: string; text: string }[] {
  const document = readFileSync(join(clone, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = document.split(`### ${walk}\n`)
  const blocks = section.split(/^##/m)[0]?.matchAll(/^ {3}```(\w+)(?: file=(\S+))?\n(.*?)^ {3}```/gms) ?? []
  return [...blocks].map(([, , file, text = '']) => ({ file, text: text.replaceAll(/^ {3}/gm, '') }))
}

/** As in a shell of a contributor, without what this run set. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|SHORT_RUN|CI$|NODE_ENV|NODE_OPTIONS)/.test(name)),
)

it('adds a method by the steps of CONTRIBUTING.md', { timeout: 300_000 }, () => {
  const steps = stepsOf('A method')
  const files = steps.flatMap(({ file }) => file ?? [])
  expect(files).toEqual(['packages/node/src/rpc/methods/dev/getCodeSize.ts', 'packages/node/test/rpc/codeSize.test.ts'])
  for (const { file, text } of steps) {
    if (file !== undefined) {
      mkdirSync(dirname(join(clone, file)), { recursive: true })
      writeFileSync(join(clone, file), text)
      continue
    }
    // What the tests need is built.
    const env = { ...environment, IS_BUILT: '1' }
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', text], { cwd: clone, encoding: 'utf8', env })
    expect(status, `${stdout}${stderr}`).toBe(0)
    expect(stdout).toContain('codeSize.test.ts')
  }
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })
  for (const file of [
    'docs/methods.md',
    'packages/node/src/rpc/methods/allMethods.ts',
    'packages/client/src/generated/methods.ts',
    ...files,
  ])
    expect(changed).toContain(file)
  expect(readFileSync(join(clone, 'docs/methods.md'), 'utf8')).toContain('dev_getCodeSize')
})
