import { readFile, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import type { DebugProtocol } from '@vscode/debugprotocol'
import type { RemoteNetwork } from '../remote/network.ts'

/** Larger files of the working folder are not read, in bytes. */
const fileLimit = 16 * 1024 * 1024

/**
 * Finds the files of a run: in the working folder, where they can be edited, or else as the network has them. `files` are
 * the names that the compiler had for them.
 */
export class SourceFiles {
  readonly #network: RemoteNetwork
  readonly #folder: string
  readonly #files: readonly string[]
  /** Paths that the editor uses for files, beside those in the working folder. */
  readonly #paths = new Map<string, string>()
  /** The sources of contracts, by address, and by file. */
  readonly #loaded = new Map<string, Promise<Map<string, string>>>()
  readonly #sources = new Map<string, Promise<DebugProtocol.Source>>()
  /** By reference less 1; `undefined` for files that are not known. */
  readonly #contents: (string | undefined)[] = []

  constructor(network: RemoteNetwork, folder: string, files: readonly string[]) {
    this.#network = network
    this.#folder = resolve(folder)
    this.#files = files
  }

  /** The file of the run that the editor means; `undefined` if none is. */
  fileOf({ path, name, sourceReference }: DebugProtocol.Source): string | undefined {
    if (sourceReference) return this.#files.find((file) => file === path) ?? this.#files.find((file) => file === name)
    if (path === undefined) return undefined
    const wanted = comparable(path)
    const inFolder = this.#files.find((file) =>
      this.#candidatesOf(file).some((candidate) => comparable(candidate) === wanted),
    )
    if (inFolder !== undefined) return inFolder
    const ends = this.#files.filter((file) => wanted.endsWith(`/${comparable(projectPath(file))}`))
    const [longest] = ends.sort((a, b) => b.length - a.length)
    if (longest !== undefined && !this.#paths.has(longest)) {
      this.#paths.set(longest, path)
      this.#sources.clear()
    }
    return longest
  }

  /** A file as the contract at an address has it. */
  sourceOf(file: string, address: string): Promise<DebugProtocol.Source> {
    const key = `${address} ${file}`
    const known = this.#sources.get(key) ?? this.#find(file, address)
    this.#sources.set(key, known)
    return known
  }

  /** The text of a source that is not in the working folder; `undefined` where it is not known. */
  contentOf(reference: number): string | undefined {
    return this.#contents[reference - 1]
  }

  async #find(file: string, address: string): Promise<DebugProtocol.Source> {
    const name = basename(file)
    const own = (await this.#load(address)).get(file)
    for (const path of this.#candidatesOf(file)) {
      const content = await readText(path)
      if (content !== undefined && (own === undefined || sameText(content, own))) return { name, path }
    }
    const known = this.#contents.indexOf(own)
    const sourceReference = known >= 0 ? known + 1 : this.#contents.push(own)
    const origin = own === undefined ? 'not known' : 'as the network has it'
    return { name, path: file, sourceReference, origin }
  }

  #load(address: string): Promise<Map<string, string>> {
    const known = this.#loaded.get(address) ?? this.#loadSources(address)
    this.#loaded.set(address, known)
    return known
  }

  async #loadSources(address: string): Promise<Map<string, string>> {
    const sources = await this.#network.call('dev_getContractSources', [address])
    return new Map(sources.flatMap(({ files }) => files.map(({ path, content }) => [path, content] as const)).reverse())
  }

  /** Where a file may be in the working folder. */
  #candidatesOf(file: string): string[] {
    const given = this.#paths.get(file)
    const path = projectPath(file)
    const candidates = [resolve(this.#folder, path), join(this.#folder, 'node_modules', path)]
    return [
      ...(given === undefined ? [] : [given]),
      ...candidates.filter((candidate) => isInside(this.#folder, candidate)),
    ]
  }
}

/** Without what Hardhat 3 puts before its names: `project/contracts/A.sol`, `npm/solady@0.1.26/src/A.sol`. */
const projectPath = (file: string) =>
  file.replace(/^project\//, '').replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, '$1/')

function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path)
  return !fromFolder.startsWith('..') && !isAbsolute(fromFolder)
}

function comparable(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/').toLowerCase() : path
}

const sameText = (a: string, b: string) => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n')

async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    return size > fileLimit ? undefined : await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
