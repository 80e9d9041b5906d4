import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** Clients of others, as npm has them. They are installed for a run, and removed after it. */
const versions = {
  '@bgd-labs/toolbox': '0.2.19',
  '@morpho-org/evm-simulation': '4.1.2',
  '@tenderly/sdk': '0.3.1',
  viem: '2.57.1',
}

export type Packages = {
  load<Module>(name: keyof typeof versions): Promise<Module>
  remove(): void
}

/** Installs the packages in a directory of their own, without running their scripts. */
export async function installPackages(): Promise<Packages> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-simulators-'))
  const manifest = { private: true, type: 'module', dependencies: versions }
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory })
  const { resolve } = createRequire(join(directory, 'package.json'))
  return {
    load: async (name) => await import(pathToFileURL(resolve(name)).href),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
