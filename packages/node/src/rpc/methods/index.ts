import type { Method } from '../defineMethod.ts'
import { discoverOf } from './rpc/discover.ts'
import { modulesOf } from './rpc/modules.ts'
import { standardMethods } from './standardMethods.ts'
import { testingMethods } from './testingMethods.ts'

const listed: readonly Method[] = [...standardMethods, ...testingMethods]

/** Every method of the network. Docs, completeness tests and the client's types are derived from this list. */
export const methods: readonly Method[] = [...listed, modulesOf(listed), discoverOf(listed)]
