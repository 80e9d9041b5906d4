import { z } from 'zod'
import { defineMethod, type Method } from '../../defineMethod.ts'

/** The namespaces of `methods`. */
export const modulesOf = (methods: readonly Method[]) => {
  const namespaces = new Set(
    methods.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.split('_')[0] ?? ''),
  )
  const answer = Object.fromEntries([...namespaces, 'rpc'].sort().map((name) => [name, '1.0' as const]))
  return defineMethod({
    name: 'rpc_modules',
    summary: 'Returns the supported method namespaces, each with version 1.0.',
    role: 'read',
    params: {},
    result: z.record(z.string(), z.literal('1.0')),
    example: { params: [], result: { eth: '1.0', net: '1.0', web3: '1.0' } },
    handler: () => answer,
  })
}
