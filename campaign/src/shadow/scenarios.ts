import { backtest } from './backtest.ts'
import { change } from './change.ts'
import { length } from './length.ts'

/** By the names that `npm run shadow -- NAME` takes. Without a name, all of them run in turn. */
export const scenarios = { change, backtest, length }
