import { length } from './length/length.ts'

/** By the names that `npm run soak -- NAME` takes. Without a name, all of them run in turn. */
export const scenarios = { length }
