import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('compiles the engine in a process of its own without a complaint of V8', () => {
  const program = `
    import { createEvm } from '@understudy/evm'
    console.log(typeof createEvm())
  `
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'object\n', stderr: '' })
})
