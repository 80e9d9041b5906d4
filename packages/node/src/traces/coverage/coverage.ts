import type { LineTable } from '@understudy/client/artifacts'
import type { Address, CoverageSink, ReachedCode } from '@understudy/evm'
import { CodeLines } from '../../contracts/codeLines.ts'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import { readUnlinkedCode } from '../../contracts/matching/codeTemplate.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { createPace, yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { Database } from '../../storage/database.ts'
import {
  loadContracts,
  loadContractVersions,
  loadDeployments,
  loadVersionSummaries,
} from '../../storage/records/contracts/contracts.ts'
import { createReachedCodes, type ReachedBits, type ReachedCodes } from './reachedCodes.ts'
import { addCode, addFiles, type FileCoverage, type Totals, totalsOf } from './sourceCoverage.ts'

/** Coverage of an imported contract: its newest version, with what it inherits and the libraries in its code. */
export type ContractCoverage = Totals & {
  contractId: string
  name: string
  sourcePath: string | undefined
  /** `false`: it was imported without source maps, so nothing of it counts. */
  hasLines: boolean
}

export type CoverageStatus = {
  isRunning: boolean
  /** When it was started last, in milliseconds since 1970; `undefined` if it was not. */
  startedAt: number | undefined
}

export type CoverageReport = CoverageStatus & {
  /** Codes that ran and are of no imported contract. */
  unknownCodes: number
  /** Codes that ran and were not kept: too many others did. */
  droppedCodes: number
  contracts: ContractCoverage[]
  /** By path. A line is reached if it is in one of the contracts. */
  files: FileCoverage[]
}

/** What transactions and calls have reached of imported contracts since coverage was started. In memory of this process. */
export type Coverage = {
  /** Starts anew. */
  start(): CoverageStatus
  /** What was reached until then stays readable. Throws `COVERAGE_NOT_RUNNING`. */
  stop(): CoverageStatus
  /** `address`: only of the contracts that the code at it was recognised as. Empty if coverage was never started. */
  report(address?: Address): Promise<CoverageReport>
}

/** How long a report may block other requests, in milliseconds. */
const sliceMs = 10

/** Sessions of coverage in this process: networks may share an engine. */
let sessions = 0

/** Receives what runs reach while coverage is on. */
export class CoverageRecorder implements CoverageSink {
  session = 0
  startedAt: number | undefined
  codes: ReachedCodes | undefined

  add(session: number, reached: ReachedCode): void {
    if (session === this.session) this.codes?.add(reached)
  }
}

type Needs = {
  recorder: CoverageRecorder
  database: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'versionOf'>
  clock: Clock
}

export function createCoverage({ recorder, database: { queries }, library, clock }: Needs): Coverage {
  const status = (): CoverageStatus => ({ isRunning: recorder.session !== 0, startedAt: recorder.startedAt })

  /** The newest versions of imported contracts, or of those at an address. */
  async function loadNewest(address: Address | undefined) {
    const linked = address && (await loadDeployments(queries, { addresses: [address] }))
    const wanted = linked && new Set(linked.map(({ contractId }) => contractId))
    const newest = new Map((await loadVersionSummaries(queries)).map((version) => [version.contractId, version.id]))
    const contracts = await loadContracts(queries, { origin: 'import' })
    return contracts.flatMap(({ id, name }) => {
      const versionId = newest.get(id)
      return versionId !== undefined && (wanted?.has(id) ?? true) ? { contractId: id, name, versionId } : []
    })
  }

  async function loadFiles(versionId: string, reached: readonly ReachedBits[]) {
    const [version] = await loadContractVersions(queries, { id: versionId })
    const table = version?.lines as LineTable | undefined
    const files = new Map<string, FileCoverage>()
    for (const isCreation of [false, true]) {
      const map = isCreation ? table?.creation : table?.runtime
      const code = readUnlinkedCode((isCreation ? version?.creation : version?.runtime) ?? '')?.bytes
      if (!table || !map || !code) continue
      const bits = reached.find((each) => each.isCreation === isCreation)
      addCode(files, code, new CodeLines(table, map, code), bits)
    }
    return { files, sourcePath: version?.sourcePath, hasLines: table !== undefined }
  }

  return {
    start() {
      recorder.codes = createReachedCodes({ library })
      recorder.startedAt = clock.now()
      recorder.session = ++sessions
      return status()
    },

    stop() {
      if (recorder.session === 0) throw new NetworkError('COVERAGE_NOT_RUNNING', {})
      recorder.session = 0
      return status()
    },

    async report(address) {
      const { codes } = recorder
      if (!codes) return { ...status(), unknownCodes: 0, droppedCodes: 0, contracts: [], files: [] }
      // Many reports may begin at once.
      await yieldToEventLoop()
      const pace = createPace(sliceMs)
      const reached = await codes.ofVersions(pace)
      const files = new Map<string, FileCoverage>()
      const contracts: ContractCoverage[] = []
      for (const { contractId, name, versionId } of await loadNewest(address)) {
        await pace()
        const own = await loadFiles(versionId, reached.get(versionId) ?? [])
        addFiles(files, own.files.values())
        const { sourcePath, hasLines } = own
        contracts.push({ contractId, name, sourcePath, hasLines, ...totalsOf(own.files.values()) })
      }
      const { unknown: unknownCodes, dropped: droppedCodes } = codes.counts()
      const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
      return { ...status(), unknownCodes, droppedCodes, contracts, files: sorted }
    },
  }
}
