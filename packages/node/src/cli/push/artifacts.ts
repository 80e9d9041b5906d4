import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CompiledContract, largestFile, outputFolders, readArtifacts } from '@understudy/client'

/** The compiled contracts of a project. */
export async function readProject(project: string, options: { storageLayouts: boolean }): Promise<CompiledContract[]> {
  const paths: string[] = []
  for (const folder of outputFolders.filter((name) => existsSync(join(project, name))))
    for (const file of await readdir(join(project, folder), { recursive: true }))
      paths.push(`${folder}/${file.replaceAll('\\', '/')}`)
  return readArtifacts({ paths, read: (path) => readSmall(join(project, path)) }, options)
}

/** The content of a file; `undefined` if it does not exist or is too large. */
async function readSmall(path: string): Promise<string | undefined> {
  const size = existsSync(path) ? (await stat(path)).size : undefined
  return size === undefined || size > largestFile ? undefined : readFile(path, 'utf8')
}
