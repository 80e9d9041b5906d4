/** Reads what Foundry and Hardhat compiled, and the lines and variables of its code. */
export type { CompiledContract } from './artifacts/artifact.ts'
export { generatedCodeOf } from './artifacts/buildInfo.ts'
export { isWanted, largestFile, outputFolders, type ProjectFiles } from './artifacts/projectFiles.ts'
export { readArtifacts } from './artifacts/readArtifacts.ts'
export { type LineTable, lineTableOf, type NumberedSource } from './lines/lineTable.ts'
export type { GeneratedCode, ScopedVariable, VariableTable } from './lines/scopes.ts'
export { SyntaxTrees } from './lines/syntaxTrees.ts'
export type { VariableType } from './lines/variableTypes.ts'
