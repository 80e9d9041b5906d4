/** The compiled contracts of `contracts/` and of the Uniswap packages, by name; see `contracts/` for what each is for. */
export * as artifacts from '../generated/index.js'
export { testAccounts, testMnemonic } from './accounts.ts'
export { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
export { anvilMethods } from './anvilMethods.ts'
export { createCertificate } from './certificate.ts'
export { connectClient, type DeployableArtifact, deployContract, requireSuccess, type TestClient } from './client.ts'
export { cpuTime, createFakeClock, type FakeClock } from './clock.ts'
export { deploySmartAccounts, type SmartAccountContracts } from './entryPoints.ts'
export { type ExplorerStandIn, type ExplorerTrouble, startExplorer } from './explorer.ts'
export { type FaultProxy, type ProxyStats, startFaultProxy } from './faultProxy.ts'
export { type BatchRefusal, batchRefusals } from './faults/batches.ts'
export type { RpcAnswer, RpcCall } from './faults/calls.ts'
export { endpoints } from './faults/endpoints.ts'
export { endings, failures } from './faults/failures.ts'
export type { Faults } from './faults/faults.ts'
export { manyRefusals, wideRefusals } from './faults/logs.ts'
export { methodRefusals } from './faults/methods.ts'
export { behaviours, mixFaults } from './faults/mix.ts'
export { providers } from './faults/providers.ts'
export type { Refusal } from './faults/refusal.ts'
export { notYetRefusals } from './faults/replicas.ts'
export { hashRefusals, stateRefusals } from './faults/state.ts'
export { foundryBinary } from './foundryBinary.ts'
export { createFoundryProject, type FoundryProject } from './foundryProject.ts'
export { sourcesOf20MiB, sourcesOf1400MiB, sourcesWithLongNames } from './hostileSources.ts'
export { JsonRpcError, postJsonRpc, postJsonRpcBatch } from './jsonRpc.ts'
export { createRandom, type Random } from './random.ts'
export { type ChainShape, type ShapedChain, startShapedChain } from './shapedChain.ts'
export {
  type CommandOptions,
  type CommandRun,
  command,
  type Ended,
  EndedEarly,
  runCommand,
  startUnderstudy,
  type Understudy,
} from './understudy.ts'
export { deployUniswapV2, type UniswapV2 } from './uniswap/uniswapV2.ts'
export { deployUniswapV3, type UniswapV3 } from './uniswap/uniswapV3.ts'
export {
  importedFiles,
  narrowLiquidity,
  swapAmount,
  swapLine,
  swapPath,
  swapSource,
  wideLiquidity,
} from './uniswap/uniswapV3Swap.ts'
