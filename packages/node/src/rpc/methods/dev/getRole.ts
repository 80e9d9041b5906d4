import { z } from 'zod'
import { roles } from '../../../shared/role.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRole = defineMethod({
  name: 'dev_getRole',
  summary: 'Returns the role of the caller, and the id of its API key; null if the network has no keys.',
  role: 'read',
  params: {},
  result: z.object({ role: z.enum(roles), key: z.string().nullable() }),
  example: { params: [], result: { role: 'admin', key: '9f86d081' } },
  handler: (_services, _params, { role, key }) => ({ role, key: key ?? null }),
})
