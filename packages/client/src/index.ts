export { type UnderstudyActions, understudyActions } from './actions.ts'
export {
  createUnderstudyClient,
  type UnderstudyClient,
  type UnderstudyClientOptions,
} from './createUnderstudyClient.ts'
export { errorKind, stackTraceOf } from './errorData.ts'
export type { Topics } from './generated/methods.ts'
export type { DevActions, MockActions } from './generated/namespaces.ts'
export type { UnderstudyRpcSchema } from './generated/rpcSchema.ts'
export type * from './generated/types.ts'
export { type Listeners, subscribe } from './subscribe.ts'
