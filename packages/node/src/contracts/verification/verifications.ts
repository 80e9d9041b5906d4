import type { Address } from '@understudy/evm'
import { type Clock, within } from '../../shared/clock.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { loadContracts, loadContractVersions, loadDeployments } from '../../storage/records/contracts/contracts.ts'
import { loadVerification, saveVerification } from '../../storage/records/contracts/verifications.ts'
import type { ContractImports } from '../contractImports.ts'
import { type LinkReferences, maskedHash, readUnlinkedCode, runtimeTemplate } from '../matching/codeTemplate.ts'
import { TemplateIndex } from '../matching/templateIndex.ts'
import type { CompiledContract, Compiler, CompileTask } from './compiler.ts'

/** Sources submitted for the verification of a contract. */
export type Claim = {
  address: Address
  /** In the compiler's notation: `src/Counter.sol:Counter`. */
  contract: string
  /** With its commit: `0.8.30+commit.73712a01`. */
  compilerVersion: string
  /** The compiler's standard JSON. */
  input: CompileTask['input']
}

/** The state of a verification. Times are milliseconds since 1970. */
export type Job = { id: string; address: Address; startedAt: number } & (
  | { state: 'pending' }
  | { state: 'verified'; match: MatchKind; endedAt: number }
  | { state: 'failed'; problem: string; step: FailedStep; endedAt: number }
)

/** What a verification failed at: the sources do not compile, the code is another one, or what comes before. */
export type FailedStep = 'compilation' | 'comparison' | 'claim'

/** The known contract for the code at an address. */
export type VerifiedContract = {
  name: string
  /** JSON. */
  abi: string
  sourcePath: string | undefined
  source: string | undefined
  match: MatchKind
  /** `undefined` for a contract that was pushed but not verified. */
  compiled: { version: string; input: string; verifiedAt: number } | undefined
}

export type Verifications = {
  /** Starts to verify sources against the code at an address. Throws `INVALID_PARAMS`. */
  submit(claim: Claim): Promise<Job>
  /** Once it has ended, or as it is after five seconds. `undefined` if it is not known. */
  job(id: string): Promise<Job | undefined>
  load(address: Address): Promise<VerifiedContract | undefined>
}

type Needs = {
  database: Database
  imports: ContractImports
  compiler: Compiler
  loadCode(address: Address): Promise<Uint8Array>
  clock: Clock
  logger: Logger
  createId: () => string
}

/** Number of verifications that are kept. */
const jobLimit = 1000
/** Tools ask for the state at once and, while it is pending, again after as much as 15 seconds: most compile in less than this. */
const answerAfterMs = 5000

export function createVerifications(needs: Needs): Verifications {
  const { database, imports, compiler, clock, logger } = needs
  const { queries } = database
  const jobs = new Map<string, { job: Job; ended: Promise<void> }>()

  function remember(job: Job, ended: Promise<void>): void {
    jobs.set(job.id, { job, ended })
    for (const id of jobs.keys()) {
      if (jobs.size <= jobLimit) break
      jobs.delete(id)
    }
  }

  /** The pushed contract that the code at an address matched. */
  async function loadImported(address: Address) {
    for (const { contractId, versionId } of (await loadDeployments(queries, { addresses: [address] })).reverse()) {
      const [contract] = await loadContracts(queries, { id: contractId, origin: 'import' })
      const [version] = contract ? await loadContractVersions(queries, { id: versionId }) : []
      if (contract && version) return { name: contract.name, version }
    }
    return undefined
  }

  async function verify(
    { address, contract, compilerVersion, input }: Claim,
    onStep: (step: FailedStep) => void,
  ): Promise<MatchKind> {
    const { sourcePath, name } = splitName(contract)
    const claimed = { address, name, sourcePath, compilerVersion, input: JSON.stringify(input) }
    const code = await needs.loadCode(address)
    if (code.length === 0) throw invalid('address', `there is no code at ${address}`)
    const task = { input, sourcePath, name, version: compilerVersion }
    onStep('compilation')
    const compiled = await compiler.compile(task).catch(async (error) => {
      // Without that compiler, uses the pushed contract, which was compared with the code when it was pushed.
      const imported = isNetworkError(error, 'UNSUPPORTED') ? await loadImported(address) : undefined
      if (imported?.name !== name) throw error
      await save({ ...claimed, abi: imported.version.abi, match: 'match' })
      return undefined
    })
    if (!compiled) return 'match'
    onStep('comparison')
    const match = matchCode(code, compiled)
    if (!match)
      throw invalid('sources', `the code at ${address} does not match ${contract} compiled with ${compilerVersion}`)
    const { abi, creation, deployed, lines, storageLayout } = compiled
    await imports.import([
      {
        name,
        abi,
        bytecode: deployed.object,
        deployedBytecode: deployed.object,
        creationBytecode: creation.object,
        sourcePath,
        source: input.sources[sourcePath]?.content,
        lines,
        storageLayout,
        bytecodeLinkReferences: creation.linkReferences,
        deployedBytecodeLinkReferences: deployed.linkReferences,
      },
    ])
    await save({ ...claimed, abi, match })
    return match
  }

  const save = (record: Omit<Parameters<typeof saveVerification>[1], 'verifiedAt'>) =>
    database.transaction((transaction) => saveVerification(transaction, { ...record, verifiedAt: clock.now() }))

  return {
    async submit(claim) {
      splitName(claim.contract)
      requireCompilable(claim)
      const { address } = claim
      const begun = { id: needs.createId(), address, startedAt: clock.now() }
      const job: Job = { ...begun, state: 'pending' }
      const end = (as: Job) => {
        const kept = jobs.get(job.id)
        if (kept) kept.job = as
      }
      let step: FailedStep = 'claim'
      const onStep = (next: FailedStep) => {
        step = next
      }
      const ended = verify(claim, onStep).then(
        (match) => {
          end({ ...begun, state: 'verified', match, endedAt: clock.now() })
          logger.info({ address, contract: claim.contract, match }, 'Verified contract')
        },
        (error) => {
          const problem = isNetworkError(error) ? error.message : 'it failed unexpectedly; see the log'
          if (!isNetworkError(error)) logger.error({ err: error, address }, 'Could not verify a contract')
          end({ ...begun, state: 'failed', problem, step, endedAt: clock.now() })
        },
      )
      remember(job, ended)
      return job
    },
    async job(id) {
      const kept = jobs.get(id)
      if (kept?.job.state === 'pending') await within(clock, answerAfterMs, kept.ended, () => undefined)
      return kept?.job
    },
    async load(address) {
      const imported = await loadImported(address)
      const verified = await loadVerification(queries, address)
      if (verified) {
        const { name, abi, sourcePath, compilerVersion: version, input, verifiedAt } = verified
        const source = (JSON.parse(input) as Claim['input']).sources[sourcePath]?.content
        const match = verified.match as MatchKind
        return { name, abi, sourcePath, source, match, compiled: { version, input, verifiedAt } }
      }
      if (!imported) return undefined
      const { abi, sourcePath, source } = imported.version
      return { name: imported.name, abi, sourcePath, source, match: 'match', compiled: undefined }
    },
  }
}

function splitName(contract: string): { sourcePath: string; name: string } {
  const at = contract.lastIndexOf(':')
  if (at <= 0 || at === contract.length - 1)
    throw invalid('contract', `expected a path and a name, such as src/Counter.sol:Counter, got "${contract}"`)
  return { sourcePath: contract.slice(0, at), name: contract.slice(at + 1) }
}

function invalid(field: string, problem: string): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field, problem })
}

/** `0.8.30`, with or without its commit. */
const release = /^\d+\.\d+\.\d+([-+][\w.+-]+)?$/

function requireCompilable({ compilerVersion, input }: Claim): void {
  if (!release.test(compilerVersion))
    throw invalid(
      'compilerVersion',
      `expected one such as 0.8.30+commit.73712a01, got ${JSON.stringify(compilerVersion.slice(0, 100))}`,
    )
  if (input.settings?.modelChecker !== undefined)
    throw invalid('settings.modelChecker', 'omit it: the network compiles sources and proves nothing about them')
}

/** `exact_match`: the metadata, which commits to the sources, also matches. */
type MatchKind = 'exact_match' | 'match'

/**
 * How deployed code matches a compiled contract; `undefined` if it does not. Immutables and libraries may have any
 * value.
 */
function matchCode(code: Uint8Array, { deployed }: CompiledContract): MatchKind | undefined {
  const { object, linkReferences = {}, immutableReferences = {} } = deployed
  const references: LinkReferences = { ...linkReferences, immutables: immutableReferences }
  const unlinked = readUnlinkedCode(object, references)
  if (!unlinked || unlinked.bytes.length === 0) return undefined
  const { bytes, holes } = unlinked
  if (code.length === bytes.length && maskedHash(code, code.length, holes) === maskedHash(bytes, bytes.length, holes))
    return 'exact_match'
  const index = new TemplateIndex<string>()
  index.add('compiled', runtimeTemplate(unlinked))
  return index.matchWhole(code).length > 0 ? 'match' : undefined
}
