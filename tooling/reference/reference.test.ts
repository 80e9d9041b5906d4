import { expect, test } from 'vitest'
import { clientTypes } from './clientTypes.ts'
import { optionTypes } from './optionTypes.ts'
import { chainsReference, errorsReference, methodsReference, optionsReference } from './pages.ts'

// `npm run docs` runs this file with -u, which writes the pages.
test.each([
  ['methods', methodsReference],
  ['errors', errorsReference],
  ['options', optionsReference],
  ['chains', chainsReference],
])('docs/%s.md says what the code says; else run npm run docs', async (name, reference) => {
  await expect(reference()).toMatchFileSnapshot(`../../docs/${name}.md`)
})

test('packages/client/src/methods.ts has the types of every extension method; else run npm run docs', async () => {
  await expect(clientTypes()).toMatchFileSnapshot('../../packages/client/src/methods.ts')
})

test('packages/node/src/api/options.ts has every option of the command; else run npm run docs', async () => {
  await expect(optionTypes()).toMatchFileSnapshot('../../packages/node/src/api/options.ts')
})
