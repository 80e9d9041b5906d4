import { existsSync, readFileSync } from 'node:fs'
import type { FileOptions } from '../config/config.ts'
import { NetworkError } from '../shared/errors.ts'

const defaultFile = 'understudy.config.json'

/**
 * The options in a file; `undefined` if no file was named and the default one does not exist. Throws `CONFIG_INVALID`.
 */
export function loadConfigFile(named: string | undefined): FileOptions | undefined {
  const path = named ?? defaultFile
  if (named === undefined && !existsSync(path)) return undefined
  const options = parse(path)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw refuse(path, 'expected a JSON object with options as keys')
  return { path, options: options as Record<string, unknown> }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw refuse(path, error instanceof Error ? error.message : 'cannot be read')
  }
}

function refuse(path: string, problem: string): NetworkError {
  return new NetworkError('CONFIG_INVALID', { option: path, problem })
}
