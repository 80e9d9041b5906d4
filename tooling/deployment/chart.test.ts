import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { environmentName } from '../../packages/node/src/config/config.ts'
import { type OptionKey, options } from '../../packages/node/src/config/options.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, 'deploy/helm/understudy', file), 'utf8')
const deployment = read('templates/deployment.yaml')

it('sets options that there are', () => {
  const known = (Object.keys(options) as OptionKey[]).map(environmentName)
  const named = [...deployment.matchAll(/- name: (UNDERSTUDY_\w+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(known).toEqual(expect.arrayContaining(named))
})

it('uses values that there are', () => {
  const values = parse(read('values.yaml'))
  const templates = ['deployment.yaml', 'service.yaml', 'ingress.yaml', 'disruption-budget.yaml', 'NOTES.txt']
  const paths = templates.flatMap((file) =>
    [...read(`templates/${file}`).matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path),
  )
  for (const path of paths) {
    const value = path.split('.').reduce((within, name) => within?.[name], values)
    expect(value, path).toBeDefined()
  }
})

it('has the version of the network, and runs as its user', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/node/package.json'), 'utf8'))
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  // The user `node` of Node.js's images.
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('USER node')
  expect(deployment).toContain('runAsUser: 1000')
})
