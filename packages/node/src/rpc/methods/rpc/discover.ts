import { z } from 'zod'
import { defineMethod, type Method } from '../../defineMethod.ts'
import { openRpcMethod } from '../../openRpc.ts'

/** Describes `methods` (https://spec.open-rpc.org). */
export const discoverOf = (methods: readonly Method[]) => {
  let described: Record<string, unknown>[] | undefined
  return defineMethod({
    name: 'rpc.discover',
    summary: 'Returns the OpenRPC description of all methods, with parameters, results and examples.',
    role: 'read',
    params: {},
    result: z.record(z.string(), z.unknown()),
    example: {
      params: [],
      result: { openrpc: '1.3.2', info: { title: 'Understudy', version: '0.1.0' }, methods: [] },
    },
    handler({ info }) {
      described ??= methods.flatMap(openRpcMethod)
      return { openrpc: '1.3.2', info: { title: 'Understudy', version: info().version }, methods: described }
    },
  })
}
