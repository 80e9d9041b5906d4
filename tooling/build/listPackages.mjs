import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A plugin of Rolldown and Vite that writes which packages of npm have files in a bundle, for the list of what is published
 * (SBOM).
 *
 * @param {string} file Gets a JSON list of `name@version`.
 * @param {string} folder Names of assets are relative to it.
 */
export const listPackages = (file, folder) => ({
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const files = Object.values(bundle).flatMap(({ moduleIds = [], originalFileNames = [] }) => [
      ...moduleIds,
      ...originalFileNames,
    ])
    const found = files.flatMap((id) => {
      const path = relative(root, resolve(folder, id.replace(/^\0/, '')))
        .split(sep)
        .join('/')
      const [, place, name] = /^((?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? []
      // Files that are not below this repository are not of its lock file, such as those of a linked node_modules.
      return packages[place] ? [`${name}@${packages[place].version}`] : []
    })
    // In a clean clone, nothing is built yet.
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify([...new Set(found)].sort(), null, 2)}\n`)
  },
})
