import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))

it('runs the example of the README, which prints what it says', () => {
  const readme = readFileSync(`${folder}/README.md`, 'utf8')
  const [, example = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
  const [, printed = ''] = /It prints:\n\n```\n(.*?)```/s.exec(readme) ?? []
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', example], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})
