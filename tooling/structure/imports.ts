import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Paths are relative to the folder of the source, with `/`. */
export type Import = { from: string; to: string; onlyTypes: boolean }
export type Source = { files: readonly string[]; imports: readonly Import[] }

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** The files below a folder of the repository, without tests, and what they import of each other. */
export function sourceOf(folder: string): Source {
  const source = join(root, folder)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  return { files, imports: files.flatMap((file) => importsOf(source, file)) }
}

function importsOf(source: string, file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gms),
    ...text.matchAll(/^import\s+()'(\.[^']+\.tsx?)'/gm),
    ...text.matchAll(/\bimport\((\s*)'(\.[^']+)'\s*\)/g),
  ]
  return found
    .map(([, type, path = '']) => ({
      from: file,
      to: relative(source, join(source, dirname(file), path)).replaceAll('\\', '/'),
      onlyTypes: type?.trim() === 'type',
    }))
    .filter(({ to }) => !to.startsWith('..') && existsSync(join(source, to)))
}

/** The groups of files that import each other: each is a cycle, or several that share a file. */
export function cyclesOf(imports: readonly { from: string; to: string }[]): string[][] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const reachable = (start: string) => {
    const seen = new Set<string>()
    const waiting = [start]
    for (let module = waiting.pop(); module !== undefined; module = waiting.pop())
      for (const next of targets.get(module) ?? [])
        if (!seen.has(next)) {
          seen.add(next)
          waiting.push(next)
        }
    return seen
  }
  const reached = new Map([...targets.keys()].map((module) => [module, reachable(module)]))
  const cycles = new Map<string, string[]>()
  for (const [module, seen] of reached) {
    if (!seen.has(module)) continue
    const cycle = [...seen].filter((other) => reached.get(other)?.has(module)).sort()
    cycles.set(cycle.join(), cycle)
  }
  return [...cycles.values()]
}
