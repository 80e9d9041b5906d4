import { expect, test } from 'vitest'
import { pricesOf } from '../../packages/evm/src/index.ts'
import { pricesUnlike } from '../../packages/node/src/ethereum/chains/prices/chainPrices.ts'
import { newestStableFork } from '../../packages/node/src/ethereum/rules.ts'
import { clientMethods } from './clientMethods.ts'
import { actions } from './clientModel.ts'
import { clientNamespaces } from './clientNamespaces.ts'
import { clientRpcSchema } from './clientRpcSchema.ts'
import { clientTypes } from './clientTypes.ts'
import { optionTypes } from './optionTypes.ts'
import { chainsReference, errorsReference, methodsReference, namedTypes, optionsReference } from './pages.ts'
import { providerErrorsReference } from './providerErrors.ts'
import { measureStandIns } from './standIns.ts'

// `npm run docs` runs this file with -u, which writes the pages.
test.each([
  ['methods', methodsReference],
  ['errors', errorsReference],
  ['options', optionsReference],
  ['chains', chainsReference],
  ['provider-errors', providerErrorsReference],
])('docs/%s.md says what the code says; else run npm run docs', async (name, reference) => {
  await expect(await reference()).toMatchFileSnapshot(`../../docs/${name}.md`)
})

test.each([
  ['methods', clientMethods],
  ['namespaces', clientNamespaces],
  ['rpcSchema', clientRpcSchema],
  ['types', clientTypes],
])(
  'packages/client/src/generated/%s.ts says what the table of methods says; else run npm run docs',
  async (name, text) => {
    await expect(text()).toMatchFileSnapshot(`../../packages/client/src/generated/${name}.ts`)
  },
)

test('every parameter of a method of our own has a text, and every text a parameter', () => {
  const missing = actions.flatMap(({ method, fields }) =>
    fields.filter(({ text }) => text === undefined).map(({ name }) => `${method.name}: ${name}`),
  )
  expect(missing, 'add them to `fields` of the method').toEqual([])
  const others = actions.flatMap(({ method, fields }) => {
    const names = fields.map(({ name }) => name)
    return Object.keys(method.fields ?? {}).filter((name) => !names.includes(name))
  })
  expect(others).toEqual([])
})

test('packages/node/src/api/options.ts has every option of the command; else run npm run docs', async () => {
  await expect(optionTypes()).toMatchFileSnapshot('../../packages/node/src/api/options.ts')
})

test('what a chain has otherwise is found on a stand-in of it, or named by the table of chains', async () => {
  for (const { chain, isRefused, tabled, known } of await measureStandIns()) {
    if (isRefused) continue
    expect({ chain, values: known?.values }).toEqual({
      chain,
      values: pricesUnlike(tabled, pricesOf(newestStableFork)),
    })
    const open = known?.ofProfile.filter((name) => !/^precompiles\.0x0+a$/.test(name))
    expect({ chain, open }).toEqual({ chain, open: [] })
  }
})

test('docs/methods.md says of every named type what it is', () => {
  const vague = ['', 'unknown', 'Record<string, never>']
  const types = [...namedTypes()]
  expect(types.length).toBeGreaterThan(100)
  expect(
    types.filter(([, { description, structure }]) => vague.includes(description ?? structure)).map(([name]) => name),
  ).toEqual([])
})

test('docs/methods.md tells which fields may be missing, of what is sent and of what is answered', () => {
  const structureOf = (name: string) => namedTypes().get(name)?.structure
  expect(structureOf('LocalContract')).toMatch(
    /^\{ name: string; abi: string; bytecode: string; creationBytecode\?: string \| null; .*storageLayout\?: /,
  )
  expect(structureOf('TrackedItem')).toMatch(/^\{ id: string; address: HexAddress; .*functionAbi\?: string; /)
  expect(structureOf('FunctionOverride')).toMatch(/^\{ id: string; contractAddress: HexAddress; functionAbi: string; /)
  const page = methodsReference()
  expect(page).toContain('- `input`: `{ name: string; address?: Address | null; abi?: string | null;')
  expect(page).toMatch(/status: 'created' \| 'new_version' \| 'unchanged'; warning\?: string \}/)
})
