import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { unsupportedMethods } from '../../src/rpc/dispatch/unsupportedMethods.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { describedMethods } from './rpcSchemas.ts'

const page = readFileSync(new URL('../../../../docs/tenderly.md', import.meta.url), 'utf8')
const isNamed = (name: string) => page.includes(`\`${name}\``)

const answered = methods.flatMap(({ name, aliases, role }) => [name, ...aliases].map((each) => ({ name: each, role })))
const ofTenderly = answered.filter(({ name }) => name.startsWith('tenderly_'))

it('names every method of Tenderly, and those that it refuses', () => {
  const refused = Object.keys(unsupportedMethods).filter((name) => name.startsWith('tenderly_'))
  expect(refused.length).toBeGreaterThan(0)
  expect([...ofTenderly.map(({ name }) => name), ...refused].filter((name) => !isNamed(name))).toEqual([])
})

it('names no method that is not there', () => {
  const known = [...answered.map(({ name }) => name), ...Object.keys(unsupportedMethods)]
  const named = [...page.matchAll(/`((?:tenderly|evm|eth|dev|anvil)_\w+)`/g)].map(([, name]) => name as string)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

it('names the fields that schemas mark as extra', () => {
  const schemas = JSON.parse(readFileSync(new URL('schemas/rpc.json', import.meta.url), 'utf8')) as unknown
  const extra: string[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties = {} } = node as { properties?: Record<string, { description?: string }> }
    for (const [name, schema] of Object.entries(properties)) if (schema.description === 'extra') extra.push(name)
    for (const each of Object.values(node)) walk(each)
  }
  walk(schemas)
  expect(extra.length).toBeGreaterThan(20)
  expect(extra.filter((name) => !isNamed(name))).toEqual([])
})

it('lets callers with the role read simulate and read, and none but admins change the network', () => {
  const reading =
    /_(simulate|trace|estimate|gasPrice|suggest|decode|\w+Signatures?|get(Contract|Transactions?Range|Storage|Automine))/
  expect(ofTenderly.length).toBeGreaterThan(35)
  for (const { name, role } of ofTenderly) {
    if (name === 'tenderly_getAutomine' || name === 'tenderly_dumpState') continue
    expect([name, role]).toEqual([name, reading.test(name) ? 'read' : 'admin'])
  }
})

it('has a schema for each method that has a shape of its own', () => {
  const own = methods
    .filter(({ name }) => name.startsWith('tenderly_'))
    .flatMap(({ name, aliases }) => [name, ...aliases])
  expect(own.filter((name) => !describedMethods.includes(name))).toEqual([])
})
