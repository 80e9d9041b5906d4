export { call, type Params, type Result, type UnderstudyActions, understudyActions } from './actions.ts'
export {
  createUnderstudyClient,
  type UnderstudyClient,
  type UnderstudyClientOptions,
} from './createUnderstudyClient.ts'
export { errorKind } from './errorKind.ts'
export { type ExtensionMethod, extensionMethods, type Methods, type Topics } from './methods.ts'
export { type Listeners, subscribe } from './subscribe.ts'
