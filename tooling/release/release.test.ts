import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ran = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] } as const

/** With these lines under “Unreleased”, before an earlier version. */
const changelog = (lines: string) =>
  `# Changelog\n\nWhat changes for users.\n\n## Unreleased\n${lines}\n## 0.1.0 (2026-11-01)\n\n- The first version.\n`
const changes = '- `dev_a` takes a list.\n\n### Tools\n\n- `understudy b` is faster.'

let folder: string
let clone: string
/** The commit that each test begins with. */
let begin: string
const git = (...args: string[]) => execFileSync('git', args, { ...ran, cwd: clone }).trim()
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['tooling/release/release.mjs', ...args], {
    ...ran,
    cwd: clone,
    env: { ...process.env, GITHUB_REPOSITORY: '' },
  })

type Step = { run?: string; if?: string }
const workflow: { jobs: { release: { steps: Step[] } } } = parse(
  readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
)
/** Runs the step of the workflow that makes the release, as it is without `publish`. */
function dryRun(version: string, output: string) {
  const [step] = workflow.jobs.release.steps.filter(({ run = '' }) => run.includes('npm run release'))
  const command = step?.run?.replace(/\$\{\{ inputs\.publish && '--publish' \|\| '' \}\}/, '')
  const environment = { ...process.env, VERSION: version, OUTPUT: output, GITHUB_REPOSITORY: 'owner/name' }
  return spawnSync('bash', ['-ec', `${command} --built --output "$OUTPUT"`], { ...ran, cwd: clone, env: environment })
}

/** A clone of what is committed here, with what is built here. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-release-'))
  clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone], ran)
  for (const name of ['evm', 'client', 'node', 'testing', 'wallet'])
    for (const built of ['dist', 'generated'].filter((path) => existsSync(join(root, 'packages', name, path))))
      cpSync(join(root, 'packages', name, built), join(clone, 'packages', name, built), { recursive: true })
  git('config', 'user.name', 'Tester')
  git('config', 'user.email', 'tester@example.com')
  cpSync(join(root, 'tooling/release/release.mjs'), join(clone, 'tooling/release/release.mjs'))
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog(''))
  git('add', '.')
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin')
  git('tag', '--force', 'v0.1.0')
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog(`\n${changes}\n`))
  git('commit', '--quiet', '--all', '--message', 'Add a feature')
  begin = git('rev-parse', 'HEAD')
})
afterEach(() => {
  git('reset', '--quiet', '--hard', begin)
  git('clean', '--quiet', '--force', '.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('makes everything that is published, in a dry run', { timeout: 300_000 }, () => {
  const output = join(folder, 'out')
  const { status, stdout, stderr } = dryRun('0.2.0', output)
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('Nothing was published')
  expect(stdout).toContain('Notes of 2 changes in notes.md')
  const tarballs = ['evm', 'client', 'node', 'testing', 'wallet'].map((name) => `understudy-${name}-0.2.0.tgz`)
  expect(readdirSync(output).sort()).toEqual([...tarballs, 'notes.md', 'sbom.cdx.json'].sort())
  const text = execFileSync('tar', ['-xzOf', join(output, 'understudy-node-0.2.0.tgz'), 'package/package.json'], ran)
  expect(JSON.parse(text)).toMatchObject({
    version: '0.2.0',
    dependencies: { '@understudy/evm': '0.2.0' },
    // npm compares it with the repository whose workflow publishes.
    repository: { type: 'git', url: 'git+https://github.com/owner/name.git', directory: 'packages/node' },
  })
  expect(readFileSync(join(output, 'notes.md'), 'utf8')).toBe(`${changes}\n`)
  const today = new Date().toISOString().slice(0, 10)
  expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toBe(changelog(`\n## 0.2.0 (${today})\n\n${changes}\n`))
  const chart = readFileSync(join(clone, 'deploy/helm/understudy/Chart.yaml'), 'utf8')
  expect(chart.match(/ersion: 0\.2\.0/g)).toHaveLength(2)
  const { components } = JSON.parse(readFileSync(join(output, 'sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  // Installed, bundled, of the dashboard, and compiled into the engine.
  expect(names).toEqual(expect.arrayContaining(['libsql', 'kysely', 'react', 'mcl-wasm']))
  // For development only.
  for (const name of ['solc', 'ethers', 'vite', 'rolldown', 'permissionless', '@types/ws', 'vitest', 'typescript'])
    expect(names).not.toContain(name)
  // Nothing is committed or tagged.
  expect(git('log', '-1', '--format=%s')).toBe('Add a feature')
  expect(git('tag')).toBe('v0.1.0')
})

it('refuses a version without changes', () => {
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog(''))
  git('commit', '--quiet', '--all', '--message', 'Empty the changelog')
  const { status, stderr } = release('0.2.0', '--output', join(folder, 'none'))
  expect([status, stderr]).toEqual([1, expect.stringContaining('CHANGELOG.md has nothing under "## Unreleased"')])
})

it.each([
  [['0.1.0'], 'VERSION: expected three numbers with dots, above 0.1.0'],
  [['next'], 'VERSION: expected three numbers'],
  [['0.2.0', '--force'], 'usage: npm run release'],
  [['0.2.0', '--publish'], 'Provenance needs GITHUB_REPOSITORY'],
])('refuses %j', (args, problem) => {
  const { status, stderr } = release(...args)
  expect([status, stderr]).toEqual([1, expect.stringContaining(problem)])
})
