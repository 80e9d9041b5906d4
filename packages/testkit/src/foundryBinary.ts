import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The build installs Foundry there. */
const require = createRequire(new URL('../../../clients/foundry/package.json', import.meta.url))

/**
 * A program of Foundry for this platform: npm installs it as an optional dependency of `@foundry-rs/TOOL`, whose own script
 * ends with 0 also when the program fails.
 */
export function foundryBinary(tool: 'anvil' | 'cast' | 'forge'): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const manifest = require.resolve(`@foundry-rs/${tool}-${process.platform}-${arch}/package.json`)
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool)
}
