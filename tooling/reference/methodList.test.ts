import { expect, test } from 'vitest'
import { methodList } from './methodList.ts'

// Apart from reference.test.ts, which imports the list that this one writes.
test('packages/node/src/rpc/methods/allMethods.ts has the methods of every file; else run npm run docs', async () => {
  await expect(methodList()).toMatchFileSnapshot('../../packages/node/src/rpc/methods/allMethods.ts')
})
