import { z } from 'zod'
import { optionsOf, whereFields } from '../../codecs/page.ts'
import { DecimalString, HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleId, exampleMethod } from '../../encode/workspaces/workspaceExamples.ts'

const MethodObject = z
  .object({
    /** null for calls with less than four bytes of data. */
    selector: HexBytes.nullable(),
    name: z.string().nullable(),
    signature: z.string().nullable(),
    stateMutability: z.string().nullable(),
    calls: z.number(),
    /** Calls that failed, or that an outer call reverted. */
    reverts: z.number(),
    gas: z.object({ p50: DecimalString, p95: DecimalString, max: DecimalString }).nullable(),
    lastBlock: z.number().nullable(),
    overridden: z.boolean(),
  })
  .meta({ title: 'WorkspaceMethod' })

export const getWorkspaceMethods = defineMethod({
  name: 'dev_getWorkspaceMethods',
  summary: 'Lists the functions of a contract by number of calls, with reverts and gas, from its newest 10000 calls.',
  role: 'read',
  params: { id: z.string(), options: optionsOf(whereFields) },
  result: z.array(MethodObject),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleId], result: [exampleMethod] },
  async handler({ dashboards }, { id, options }) {
    const methods = await dashboards.methods(id, options)
    return methods.map(
      ({ selector, name, signature, stateMutability, calls, reverts, gas, lastBlock, isOverridden }) => ({
        selector: selector ?? null,
        name: name ?? null,
        signature: signature ?? null,
        stateMutability: stateMutability ?? null,
        calls,
        reverts,
        gas: gas ? { p50: gas.p50.toString(), p95: gas.p95.toString(), max: gas.max.toString() } : null,
        lastBlock: lastBlock === undefined ? null : Number(lastBlock),
        overridden: isOverridden,
      }),
    )
  },
})
