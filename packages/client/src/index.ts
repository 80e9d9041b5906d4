export { call, type Params, type Result, type UnderstudyActions, understudyActions } from './actions.ts'
export { answeredError } from './answeredError.ts'
export type { CompiledContract } from './artifacts/artifact.ts'
export { generatedCodeOf } from './artifacts/buildInfo.ts'
export { isWanted, largestFile, outputFolders, type ProjectFiles } from './artifacts/projectFiles.ts'
export { readArtifacts } from './artifacts/readArtifacts.ts'
export {
  createUnderstudyClient,
  type UnderstudyClient,
  type UnderstudyClientOptions,
} from './createUnderstudyClient.ts'
export {
  divergenceLine,
  divergencesAsJunit,
  divergencesByFunction,
  loadAllDivergences,
  type ReportedDivergence,
} from './divergenceReport.ts'
export { errorKind, stackTraceOf } from './errorData.ts'
export { type LineTable, lineTableOf, type NumberedSource } from './lines/lineTable.ts'
export type { GeneratedCode, ScopedVariable, VariableTable } from './lines/scopes.ts'
export { SyntaxTrees } from './lines/syntaxTrees.ts'
export type { VariableType } from './lines/variableTypes.ts'
export { type ExtensionMethod, extensionMethods, type Methods, slowMethods, type Topics } from './methods.ts'
export { rulesOrigins } from './rulesOrigins.ts'
export { type Listeners, subscribe } from './subscribe.ts'
export { type RecordTrigger, recordTriggers, type TrackedType, trackedTypes } from './trackedItems.ts'
