import { describe, it } from 'node:test'
import { onBranch } from '@understudy/testing'
import { change } from './changes.mjs'

describe('200 tests', { concurrency: 4 }, () => {
  for (let index = 0; index < 200; index++)
    it(
      `changes ${index}`,
      onBranch((branch) => change(branch, index)),
    )
})
