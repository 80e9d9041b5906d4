import type { Method } from '../defineMethod.ts'
import { allMethods } from './allMethods.ts'
import { discoverOf } from './rpc/discover.ts'
import { modulesOf } from './rpc/modules.ts'

/** Every method of the network. Docs, completeness tests and the client's types are derived from this list. */
export const methods: readonly Method[] = [...allMethods, modulesOf(allMethods), discoverOf(allMethods)]
