import { refusing } from './calls.ts'
import { failures } from './failures.ts'
import type { Faults } from './faults.ts'
import { manyRefusals, wideRefusals } from './logs.ts'
import { methodRefusals } from './methods.ts'
import { notYetRefusals } from './replicas.ts'
import { hashRefusals, stateRefusals } from './state.ts'

const traces = ['debug_*', 'trace_*']
/** A few servers behind one address. */
const replicas = [0, 300, 800]

/**
 * How providers and nodes limit and refuse, as public documentation, threads and code show: mostly of their free plans.
 * Where they show how something is refused, but not from which number on, the number is one that a test reaches.
 */
export const providers = {
  Alchemy: {
    logs: { blocks: 500, tooWide: wideRefusals.alchemy },
    missingMethods: traces,
    missingMethod: methodRefusals.alchemy,
    replicas,
    notYet: notYetRefusals.alchemy,
    sometimes: [{ share: 0.1, refusal: failures.tooManyUnits }],
  },
  Infura: {
    logs: { blocks: 10_000, rows: 10_000, tooWide: wideRefusals.infura },
    newestStates: 128,
    noState: stateRefusals.infura,
    sometimes: [{ share: 0.1, refusal: failures.projectRate }],
  },
  QuickNode: {
    logs: { blocks: 5, tooWide: wideRefusals.quickNode },
    missingMethods: traces,
    missingMethod: methodRefusals.quickNode,
    rate: { perSecond: 15, refusal: failures.planRate },
  },
  Ankr: { logs: { blocks: 3_000, rows: 10_000, tooWide: wideRefusals.ankr, tooMany: manyRefusals.ankr } },
  dRPC: {
    refuseBatches: 'freePlanStatus',
    maxBatch: 3,
    logs: { blocks: 10_000, tooWide: wideRefusals.drpc },
    sometimes: [{ share: 0.05, refusal: failures.freeTimeout }],
  },
  '1RPC': { refuseBatches: 'freePlan', maxBatch: 3, logs: { blocks: 1_000, tooWide: wideRefusals.oneRpc } },
  publicnode: { logs: { blocks: 50_000, tooWide: wideRefusals.publicnode } },
  LlamaRPC: {
    logs: { rows: 20_000, tooMany: manyRefusals.reth },
    sometimes: [{ share: 0.1, refusal: failures.rate1015InJson }],
  },
  BlastAPI: { logs: { blocks: 500, tooWide: wideRefusals.blastPlan } },
  Chainstack: {
    logs: { blocks: 100, tooWide: wideRefusals.chainstack },
    newestStates: 128,
    noState: stateRefusals.chainstack,
    missingMethods: traces,
    missingMethod: methodRefusals.chainstack,
    rate: { perSecond: 25, refusal: failures.tooManyRequests },
  },
  Cloudflare: {
    logs: { blocks: 800, tooWide: wideRefusals.cloudflare },
    sometimes: [{ share: 0.1, refusal: failures.internal }],
  },
  Tenderly: { sometimes: [{ share: 0.2, refusal: failures.limitStatus }] },
  thirdweb: { logs: { blocks: 1_000, tooWide: wideRefusals.thirdweb } },
  Pocket: { sometimes: [{ share: 0.2, refusal: failures.silentRate }] },
  NodeReal: { logs: { blocks: 50_000, tooWide: wideRefusals.publicnode } },
  Blockpi: { logs: { blocks: 1_024, tooWide: wideRefusals.blockpi } },
  Coinbase: { logs: { blocks: 1_000, tooWide: wideRefusals.coinbase } },
  Merkle: { logs: { blocks: 1_000, tooWide: wideRefusals.merkle } },
  Tatum: { logs: { blocks: 100, tooWide: wideRefusals.tatum } },
  Ronin: {
    refuseBatches: 'tooManyRequests',
    maxBatch: 3,
    logs: { blocks: 200, tooWide: wideRefusals.ronin },
  },
  /** State of any other block than the newest is that of the newest, and nothing says so. */
  HyperEVM: {
    logs: { blocks: 50, tooWide: wideRefusals.hyperEvm, tooMany: manyRefusals.size },
    stateIsLatest: true,
    notYet: notYetRefusals.height,
  },
  Avalanche: {
    logs: { blocks: 2_048, tooWide: wideRefusals.avalanche },
    replicas,
    notYet: notYetRefusals.avalanche,
  },
  zkSync: {
    logs: { rows: 10_000, tooMany: manyRefusals.zkSync },
    newestStates: 1_000,
    noState: stateRefusals.zkSync,
    replicas,
    notYet: notYetRefusals.zkSync,
  },
  /** Base, Optimism and others behind proxyd. */
  Optimism: {
    refuseBatches: 'proxyd',
    maxBatch: 10,
    logs: { blocks: 2_000, rows: 10_000, tooWide: wideRefusals.proxyd, tooMany: manyRefusals.proxyd },
    missingMethods: [...traces, 'txpool_*'],
    missingMethod: methodRefusals.proxyd,
    replicas,
    notYet: notYetRefusals.proxyd,
    sometimes: [
      { share: 0.1, refusal: failures.overRate },
      { share: 0.05, refusal: failures.noBackend },
    ],
  },
  Arbitrum: { logs: { rows: 10_000, tooMany: manyRefusals.arbitrum } },
  BNB: {
    missingMethods: ['eth_getLogs', ...traces],
    missingMethod: methodRefusals.limitExceeded,
    newestStates: 128,
  },
  MegaETH: {
    missingMethods: traces,
    missingMethod: refusing(-32601, 'rpc method is not whitelisted'),
    sometimes: [{ share: 0.1, refusal: failures.limitStatus }],
  },
  Moonbeam: {
    logs: { blocks: 1_024, tooWide: wideRefusals.moonbeam },
    newestStates: 256,
    noState: stateRefusals.moonbeam,
  },
  Somnia: { logs: { blocks: 1_000, tooWide: wideRefusals.somnia }, refuseBlockHashes: hashRefusals.parameters },
  Axon: { refuseBlockHashes: hashRefusals.axon },
  Oasis: { refuseBlockHashes: hashRefusals.bits },
  'Polygon Edge': { refuseBlockHashes: hashRefusals.params },
  Wasp: { refuseBlockHashes: hashRefusals.geth, logs: { blocks: 1_000, tooWide: wideRefusals.iota } },
  Cronos: { replicas, notYet: notYetRefusals.cronos },
  IoTeX: { newestStates: 256, noState: stateRefusals.ioTex },
  Sei: { newestStates: 1_000, noState: stateRefusals.sei },
  geth: { refuseBatches: 'first', maxBatch: 1_000, newestStates: 128, noState: stateRefusals.geth },
  reth: {
    logs: { blocks: 100_000, rows: 20_000, tooWide: wideRefusals.hyperEvm, tooMany: manyRefusals.reth },
    newestStates: 10_064,
    noState: stateRefusals.reth,
    notYet: notYetRefusals.reth,
  },
  Nethermind: { newestStates: 128, noState: stateRefusals.nethermind },
  Besu: {
    refuseBatches: 'besu',
    maxBatch: 50,
    logs: { blocks: 1_000, tooWide: wideRefusals.besu },
    refuseBlockHashes: hashRefusals.besu,
    newestStates: 512,
    noState: stateRefusals.besu,
    missingMethods: traces,
    missingMethod: methodRefusals.besu,
  },
  erigon: { newestStates: 128, noState: stateRefusals.erigon },
} as const satisfies Record<string, Faults>
