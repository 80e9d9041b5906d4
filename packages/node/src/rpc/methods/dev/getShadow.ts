import { defineMethod } from '../../defineMethod.ts'
import { encodeShadow, exampleShadow, ShadowObject } from '../../encode/runs/divergence.ts'

export const getShadow = defineMethod({
  name: 'dev_getShadow',
  summary:
    'Returns what of the live chain is shadowed, and how many transactions came out the same, diverged, were refused or cannot be reproduced.',
  role: 'read',
  params: {},
  result: ShadowObject,
  example: { params: [], result: exampleShadow },
  handler: async ({ shadow }) => encodeShadow(await shadow.status()),
})
