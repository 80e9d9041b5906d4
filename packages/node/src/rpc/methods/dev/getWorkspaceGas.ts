import { z } from 'zod'
import { DecimalString, HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleId } from '../../encode/workspaces/workspaceExamples.ts'

const VersionGasObject = z
  .object({
    id: z.string(),
    number: z.number(),
    calls: z.number(),
    /** Of the calls that succeeded; null if none did. */
    gas: z.object({ min: DecimalString, p50: DecimalString, max: DecimalString }).nullable(),
    /** The median, less that of the version before in this list; null where one of them is missing. */
    change: z.number().nullable(),
    /** The median rose by 1 % or more. */
    isRegression: z.boolean(),
  })
  .meta({ title: 'VersionGas' })

export const getWorkspaceGas = defineMethod({
  name: 'dev_getWorkspaceGas',
  summary:
    'Lists the gas of each function of a project contract by version, oldest first, without what a transaction costs before it runs. It reads the newest 10000 calls of each of the newest 10 versions, in the newest 100 deployments. Empty for other workspaces.',
  role: 'read',
  params: { id: z.string() },
  result: z.array(
    z
      .object({
        /** null for calls with less than four bytes of data. */
        selector: HexBytes.nullable(),
        signature: z.string().nullable(),
        versions: z.array(VersionGasObject),
      })
      .meta({ title: 'GasByMethod' }),
  ),
  fields: {
    id: 'Id of the workspace.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: [exampleId],
    result: [
      {
        selector: '0xa9059cbb',
        signature: 'transfer(address,uint256)',
        versions: [
          {
            id: 'pcv_pfh0haxfpzowht3oi213cqos',
            number: 1,
            calls: 12,
            gas: { min: '8120', p50: '12920', max: '30020' },
            change: null,
            isRegression: false,
          },
          {
            id: 'pcv_x1c2v3b4n5m6a7s8d9f0g1h2',
            number: 2,
            calls: 3,
            gas: { min: '8320', p50: '13120', max: '30220' },
            change: 200,
            isRegression: true,
          },
        ],
      },
    ],
  },
  async handler({ dashboards }, { id }) {
    const methods = await dashboards.gas(id)
    return methods.map(({ selector, signature, versions }) => ({
      selector: selector ?? null,
      signature: signature ?? null,
      versions: versions.map(({ gas, change, ...version }) => ({
        ...version,
        gas: gas ? { min: gas.min.toString(), p50: gas.p50.toString(), max: gas.max.toString() } : null,
        change: change === undefined ? null : Number(change),
      })),
    }))
  },
})
