/** The table of methods, for programs that call them by their names, with parameters in their order. */
export { call, type Params, type Result } from './actions.ts'
export { answeredError } from './answeredError.ts'
export { type ExtensionMethod, extensionMethods, type Methods, slowMethods } from './generated/methods.ts'
export type * from './generated/types.ts'
export { describeRules } from './rulesOrigins.ts'
export { type RecordTrigger, recordTriggers, type TrackedType, trackedTypes } from './trackedItems.ts'
