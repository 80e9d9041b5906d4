import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadChainProfile } from '../../src/network/chainProfileFile.ts'

const directory = mkdtempSync(join(tmpdir(), 'understudy-profile-'))
afterAll(() => rmSync(directory, { recursive: true }))

function profileWith(explorer: string) {
  const path = join(directory, 'profile.json')
  writeFileSync(path, JSON.stringify({ chainId: 5, name: 'a chain', explorer }))
  return loadChainProfile(path)
}

it.each(['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', 'file:///etc/passwd', 'explorer.example'])(
  'refuses the explorer %s, which pages would link to',
  async (explorer) => {
    await expect(profileWith(explorer)).rejects.toMatchObject({
      kind: 'CONFIG_INVALID',
      details: { problem: expect.stringContaining('expected a URL that begins with http:// or https://') },
    })
  },
)

it('takes explorers of the web', async () => {
  expect(await profileWith('https://explorer.example/x')).toMatchObject({ explorer: 'https://explorer.example/x' })
})
