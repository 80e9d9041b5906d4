import { connections } from './connections/connections.ts'
import { contracts } from './contracts/contracts.ts'
import { input } from './input/input.ts'
import { neighbours } from './neighbours/neighbours.ts'
import { removal } from './removal/removal.ts'

/** By the names that `npm run fuzz -- NAME` takes. Without a name, all of them run in turn. */
export const scenarios = { input, contracts, connections, removal, neighbours }
