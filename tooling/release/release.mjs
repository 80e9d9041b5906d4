import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Makes a release: versions, changelog, notes, tarballs and a list of all dependencies (SBOM), in a folder to look at. Only with
// --publish, it is committed, tagged, and published to the registry, with the provenance of the workflow that runs it.

const root = fileURLToPath(new URL('../..', import.meta.url))
const usage = 'usage: npm run release -- VERSION [--output FOLDER] [--built] [--publish]'

/** In the order in which they need each other. */
const published = ['evm', 'client', 'node', 'testing', 'wallet']

/** Packages whose code is in WebAssembly of the engine. */
const compiledIn = ['assemblyscript', 'mcl-wasm', 'secp256k1']

const { values, positionals } = parse()
const [version = ''] = positionals
const output = resolve(values.output ?? 'release')
const { version: current } = manifestOf('packages/node')

/** What the repository names is below the new version, or is it: then it must not be released yet. */
const isAbove = version.localeCompare(current, 'en', { numeric: true }) > 0
if (!/^\d+\.\d+\.\d+$/.test(version) || !(isAbove || (version === current && !tags().includes(`v${version}`))))
  fail(`VERSION: expected three numbers with dots, above ${current}\n${usage}`)
if (existsSync(output) && readdirSync(output).length > 0)
  fail(`${output} is not empty: remove it, or choose another --output`)
if (run('git', ['status', '--porcelain']) !== '')
  fail('There are changes that are not committed: a release is made of a commit')

/** `owner/name`, in a workflow of GitHub. npm refuses provenance if the packages name another repository, or none. */
const repository = process.env.GITHUB_REPOSITORY
if (values.publish && !repository)
  fail('Provenance needs GITHUB_REPOSITORY: publish with the workflow .github/workflows/release.yml')

console.log(`Version ${current} -> ${version}`)
const notes = dateChangelog()
for (const folder of workspaces()) setVersions(join(folder, 'package.json'))
for (const file of ['package.json', 'package-lock.json']) setVersions(file)
if (repository) for (const name of published) nameRepository(name)
replaceIn('deploy/helm/understudy/Chart.yaml', /(^(?:version|appVersion): ).*$/gm, `$1${version}`)

mkdirSync(output, { recursive: true })
writeFileSync(join(output, 'notes.md'), `${notes}\n`)
console.log(`Notes of ${notes.split('\n').filter((line) => line.startsWith('- ')).length} changes in notes.md`)
if (!values.built) run('npm', ['run', 'build'], 'inherit')
// They were just built.
const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', output]
const packed = JSON.parse(run('npm', [...packing, ...published.map((name) => `./packages/${name}`)]))
const tarballs = packed.map(({ filename, size, unpackedSize }) => {
  console.log(`Packed ${filename}: ${size} bytes, ${unpackedSize} unpacked`)
  return join(output, filename)
})
const sbom = publishedSbom()
writeFileSync(join(output, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
console.log(`Listed ${sbom.components.length} dependencies in sbom.cdx.json`)

if (values.publish) {
  for (const tarball of tarballs) run('npm', ['publish', tarball, '--provenance', '--access', 'public'], 'inherit')
  run('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`])
  run('git', ['tag', '--annotate', `v${version}`, '--cleanup', 'verbatim', '--message', `${version}\n\n${notes}`])
  console.log(`Published. Push the commit and the tag: git push --follow-tags`)
} else {
  for (const tarball of tarballs) run('npm', ['publish', tarball, '--dry-run', '--access', 'public'])
  console.log(`Nothing was published. Look at ${output} and git diff, and undo with git checkout .`)
}

function parse() {
  const options = { output: { type: 'string' }, publish: { type: 'boolean' }, built: { type: 'boolean' } }
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(`${error.message}\n${usage}`)
  }
}

/** Returns what it prints. */
function run(command, args, stdout = 'pipe', folder = '.') {
  const printed = execFileSync(command, args, {
    cwd: join(root, folder),
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'inherit'],
  })
  return printed?.trimEnd() ?? ''
}

function fail(problem) {
  console.error(problem)
  process.exit(1)
}

/**
 * What is published (CycloneDX): the dependencies that are installed, those whose code is in a bundle, which are development
 * dependencies of this repository, and those whose code is compiled into something.
 */
function publishedSbom() {
  const workspaces = [...published, 'web'].flatMap((name) => ['--workspace', `packages/${name}`])
  const sbom = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', ...workspaces]))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const bundled = ['dist/bundled.json', 'generated/dashboard.json', 'generated/docs.json'].flatMap((file) =>
    JSON.parse(readFileSync(join(root, 'packages/node', file), 'utf8')),
  )
  const kept = new Set([
    ...installedOf(packages),
    ...bundled,
    ...compiledIn.map((name) => `${name}@${packages[`node_modules/${name}`].version}`),
  ])
  const components = sbom.components
    .filter((component) => kept.delete(component['bom-ref']))
    // What is bundled is no development dependency of those who install it.
    .map(({ properties = [], ...rest }) => ({
      ...rest,
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    }))
  if (kept.size > 0) fail(`npm does not list what is published: ${[...kept].join(', ')}`)
  const known = new Set([sbom.metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) }))
  return { ...sbom, components, dependencies }
}

/** `name@version` of what is installed with the packages, by the lock file: `npm sbom --omit dev` leaves out some of it. */
function installedOf(packages) {
  const found = new Set()
  const visit = (path) => {
    if (found.has(path)) return
    found.add(path)
    const { link, resolved, dependencies, optionalDependencies } = packages[path]
    if (link) return visit(resolved)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) visit(pathOf(name, path, packages))
  }
  for (const name of published) visit(`packages/${name}`)
  return [...found]
    .filter((path) => !packages[path].link)
    .map((path) => `${packages[path].name ?? path.split('node_modules/').at(-1)}@${packages[path].version}`)
}

/** Where Node.js finds a package that one at a path needs. */
function pathOf(name, path, packages) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[candidate]) return candidate
    if (folder === '') fail(`package-lock.json has no ${name}, which ${path} needs`)
  }
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

function workspaces() {
  const inPackages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  return [...inPackages, ...manifestOf('.').workspaces.filter((name) => !name.includes('*'))]
}

/** A package and those that need it have the same version, so that they fit. The lock file has both. */
function setVersions(file) {
  const names = `"(?:understudy-workspace|@understudy/(?:${published.join('|')}))"`
  const old = current.replaceAll('.', '\\.')
  replaceIn(file, new RegExp(`(${names}: |"name": ${names},\\s+"version": )"${old}"`, 'g'), `$1"${version}"`)
}

function nameRepository(name) {
  const directory = `packages/${name}`
  const url = `git+https://github.com/${repository}.git`
  const manifest = { ...manifestOf(directory), repository: { type: 'git', url, directory } }
  writeFileSync(join(root, directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function replaceIn(file, pattern, replacement) {
  const path = join(root, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, replacement))
}

function tags() {
  return run('git', ['tag', '--list', 'v*']).split('\n')
}

/** Gives the changes under `## Unreleased` the version and the date, and an empty section before them. Answers what they are. */
function dateChangelog() {
  const path = join(root, 'CHANGELOG.md')
  const text = readFileSync(path, 'utf8')
  const [, before, section, after] = /^(.*\n)## Unreleased\n(.*?)(\n## .*)?$/s.exec(text) ?? []
  const changes = section?.trim()
  if (!changes) fail('CHANGELOG.md has nothing under "## Unreleased": say there what changes for users')
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(path, `${before}## Unreleased\n\n## ${version} (${date})\n\n${changes}\n${after ?? ''}`)
  return changes
}
