import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = '.github/workflows'

type Step = { uses?: string; run?: string; with?: Record<string, string> }
type Job = { strategy?: { matrix: Record<string, (string | number)[]> }; container?: string; steps: Step[] }
type Workflow = { permissions?: unknown; jobs: Record<string, Job> }

const files = readdirSync(join(root, folder))
const workflows = Object.fromEntries(files.map((name) => [name, parse(textOf(`${folder}/${name}`)) as Workflow]))

/** What the steps of a job run, once for each value of its matrix. */
function commandsOf({ strategy, steps }: Job): string[] {
  const commands = steps.flatMap(({ run = '' }) => run.split('\n')).filter(Boolean)
  return Object.entries(strategy?.matrix ?? {}).reduce(
    (found, [name, values]) => [
      ...new Set(
        found.flatMap((command) => values.map((value) => command.replace(`\${{ matrix.${name} }}`, String(value)))),
      ),
    ],
    commands,
  )
}
const commandsIn = (name: string) => Object.values(workflows[name]?.jobs ?? {}).flatMap(commandsOf)

/** Why a command of a workflow cannot run in a clean clone, by the files of the repository. */
function problemOf(command: string): string | undefined {
  const [program = '', ...words] = command.split(' ')
  if (['cd', 'docker', 'gh', 'git', 'helm', 'tar', 'touch'].includes(program)) return undefined
  if (program === 'node') return existsSync(join(root, words[0] ?? '')) ? undefined : 'names no file'
  if (program === '.ci/run') return parts.includes(words[0] ?? 'all') ? undefined : 'is no part of .ci/run'
  if (program === 'npm' && words[0] === 'ci') return undefined
  if (program === 'npm' && words[0] === 'run')
    return words[1] !== undefined && words[1] in scripts ? undefined : 'is no script of package.json'
  if (program === 'npx' && words[0] === 'vitest')
    return words.slice(2).every((file) => existsSync(join(root, file))) ? undefined : 'names no file'
  return 'is no command of the repository'
}
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
const parts = [...textOf('.ci/run').matchAll(/^ {2}([a-z]+)\) /gm)].map(([, name]) => name as string)

describe.each(files)('%s', (name) => {
  it('runs commands that the repository has', () => {
    const commands = commandsIn(name)
    expect(commands.length).toBeGreaterThan(1)
    expect(commands.map((command) => [command, problemOf(command)]).filter(([, problem]) => problem)).toEqual([])
  })

  it('may do no more than it needs', () => {
    expect(workflows[name]?.permissions).toMatchObject({ contents: expect.stringMatching(/^(read|write)$/) })
  })
})

it('finds commands that are not there', () => {
  const wrong = [
    'npm run tests',
    'npx vitest run tooling/none.test.ts',
    'node tooling/none.mjs',
    '.ci/run units',
    'make',
  ]
  expect(wrong.map(problemOf)).not.toContain(undefined)
})

it.each([...files.map((name) => `${folder}/${name}`), 'action.yml'])('%s pins its actions to commits', (path) => {
  const used = [...textOf(path).matchAll(/uses: (.*)/g)].map(([, action]) => action as string)
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
})

it('runs every part of .ci/run for a pull request, and every share of the tests', () => {
  const commands = commandsIn('checks.yml').filter((command) => command.startsWith('.ci/run'))
  const shares = commands.filter((command) => command.startsWith('.ci/run tests'))
  expect(shares).toEqual(shares.map((_, index) => `.ci/run tests ${index + 1}/${shares.length}`))
  expect(new Set(commands.map((command) => command.split(' ')[1]))).toEqual(
    new Set(parts.filter((part) => part !== 'all')),
  )
})

it('checks pull requests with the Node.js of .nvmrc, a version that is supported', () => {
  const version = textOf('.nvmrc').trim()
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } }
  expect(workflows['checks.yml']?.jobs.full?.container).toBe(`node:${version}-bookworm`)
  const oldest = engines.node.replace('>=', '')
  expect(version.localeCompare(oldest, 'en', { numeric: true })).toBeGreaterThan(0)
})

it('makes all that a release has in a dry run, and publishes it only when that is asked for', () => {
  const steps = (workflows['release.yml']?.jobs.release?.steps ?? []) as (Step & { if?: string })[]
  const [always, published] = [false, true].map((isPublished) =>
    steps
      .flatMap(({ if: condition, run = '' }) => ((condition === 'inputs.publish') === isPublished ? run : []))
      .join('\n'),
  )
  for (const made of ['npm run release', 'buildSite.mjs', 'docker build', 'helm package'])
    expect(always).toContain(made)
  expect(always).not.toMatch(/\bpush\b/)
  for (const sent of ['git push', 'gh release create', 'docker push', 'helm push', 'HEAD:gh-pages'])
    expect(published).toContain(sent)
  // The chart starts its image of the same version.
  expect(textOf('deploy/helm/understudy/Chart.yaml')).toMatch(/^appVersion: /m)
})

it('.ci/run says which parts there are', () => {
  const { status, stdout, stderr } = spawnSync(join(root, '.ci/run'), ['units'], {
    encoding: 'utf8',
    env: { ...process.env, TEST_COUNTS: '' },
  })
  expect([status, stdout]).toEqual([2, '0 passed, 1 failed\n'])
  expect(stderr).toContain('usage: .ci/run [lint | unit | tests [SHARE/SHARES] | nodes [VERSION...]], not units')
  execFileSync('bash', ['-n', join(root, '.ci/run')])
})
