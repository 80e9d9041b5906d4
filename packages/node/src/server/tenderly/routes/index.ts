import type { RestRoute } from '../route.ts'
import { blockNumber } from './blockNumber.ts'

/** All routes, in the order of the documentation. */
export const routes: readonly RestRoute[] = [blockNumber]
