import { expect, it } from 'vitest'
import { jsonDepthLimit, jsonItemLimit, OversizedJsonError, requireBoundedJson } from './boundedJson.ts'

const check = (text: string) => () => requireBoundedJson(Buffer.from(text))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it('lets through what can be handled', () => {
  expect(check('{"a": [1, "]]][[[\\"[[", {}]}')).not.toThrow()
  expect(check(nested(jsonDepthLimit))).not.toThrow()
  expect(JSON.stringify(JSON.parse(nested(jsonDepthLimit)))).toHaveLength(jsonDepthLimit * 2)
  expect(check(`"${'['.repeat(jsonDepthLimit * 2)}"`)).not.toThrow()
})

it('refuses what is nested too deep, or holds too many values', () => {
  expect(check(nested(jsonDepthLimit + 1))).toThrow(OversizedJsonError)
  expect(check('{"a":'.repeat(jsonDepthLimit + 1))).toThrow(OversizedJsonError)
  expect(check(`[${'0,'.repeat(jsonItemLimit)}0]`)).toThrow(OversizedJsonError)
})
