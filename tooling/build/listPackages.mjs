import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A plugin of Rolldown and Vite that finds which packages of npm have files in a bundle. It writes a list of them for the SBOM,
 * and adds their licences to the bundle, as `THIRD-PARTY.txt`.
 *
 * @param {string} file Gets a JSON list of `name@version`.
 * @param {string} folder Names of assets are relative to it.
 * @param {readonly string[]} [others] Packages whose code comes into the bundle in another way.
 */
export const listPackages = (file, folder, others = []) => ({
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const files = Object.values(bundle).flatMap(({ moduleIds = [], originalFileNames = [] }) => [
      ...moduleIds,
      ...originalFileNames,
    ])
    /** Folders by `name@version`. */
    const found = new Map(
      others.map((name) => [`${name}@${packages[`node_modules/${name}`].version}`, `node_modules/${name}`]),
    )
    for (const id of files) {
      const path = relative(root, resolve(folder, id.replace(/^\0/, '')))
        .split(sep)
        .join('/')
      const [, installed, name] = /^((?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? []
      // Files that are not below this repository are not of its lock file, such as those of a linked node_modules.
      if (packages[installed]) found.set(`${name}@${packages[installed].version}`, installed)
    }
    const names = [...found.keys()].sort()
    // In a clean clone, nothing is built yet.
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(names, null, 2)}\n`)
    const notices = names.map((name) => `${name}\n\n${licenceOf(join(root, found.get(name)))}\n`)
    const source = `This folder has code of these packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source })
  },
})

/** The files of a package that have its licence, and those who gave it; what its manifest says if it has none. */
function licenceOf(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  if (names.length > 0) return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${folder} names no licence`)
  return `Licence: ${license}. Author: ${author?.name ?? author ?? 'not named'}`
}
