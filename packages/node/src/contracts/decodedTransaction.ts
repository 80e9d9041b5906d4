import { type Address, consoleAddress, type Hex, isCreation, type Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { decodeConsoleInput } from '../ethereum/abi/consoleLog.ts'
import type { Frame, FrameTransaction } from '../ethereum/encodings/frameTransaction.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import type { Database } from '../storage/database.ts'
import { type CallRecord, loadCallsOfTransaction } from '../storage/records/activity/calls.ts'
import { loadTransfersIn, type TransferRecord } from '../storage/records/activity/transfers.ts'
import { type DeploymentRecord, loadDeployments } from '../storage/records/contracts/contracts.ts'
import { type ContractAbi, tokenAbi } from './contractAbi.ts'
import { type Decoded, type DecodedValue, decodeEvent, decodeInput, decodeOutput, decodeRevert } from './decode.ts'
import type { KnownContract, KnownContracts } from './knownContracts.ts'
import { loadTransactionFacts, type TransactionFacts } from './transactionFacts.ts'

export type DecodedCall = CallRecord & {
  contract: string | undefined
  function: Decoded | undefined
  /** `undefined` if it failed, or its return data cannot be decoded. */
  returned: DecodedValue[] | undefined
  revert: (Decoded & { reason: string }) | undefined
}

export type DecodedLog = {
  logIndex: number
  address: Address
  topics: Word[]
  data: Hex
  contract: string | undefined
  event: Decoded | undefined
}

/** What a frame of a frame transaction calls. */
export type DecodedFrame = Frame & { contract: string | undefined; function: Decoded | undefined }

/** A transaction decoded with the currently known ABIs. */
export type DecodedTransaction = TransactionFacts & {
  /** Those of `frameTransaction`, in their order. */
  frames: DecodedFrame[]
  contract: string | undefined
  function: Decoded | undefined
  revert: (Decoded & { reason: string }) | undefined
  /** In execution order, starting with the transaction itself; `undefined` if this network did not execute it. */
  calls: DecodedCall[] | undefined
  events: DecodedLog[]
  transfers: TransferRecord[] | undefined
}

export type TransactionDecoder = {
  /** Throws `NOT_FOUND`. */
  decode(hash: Word): Promise<DecodedTransaction>
}

type Needs = { database: Database; history: Pick<History, 'loadTransaction' | 'loadReceipt'>; abis: KnownContracts }

/** Maximum number of calls, events and transfers each. */
const shownLimit = 1000

export function createTransactionDecoder({ database: { queries }, history, abis }: Needs): TransactionDecoder {
  return {
    async decode(hash) {
      const facts = await loadTransactionFacts(history, hash)
      if (!facts) throw new NetworkError('NOT_FOUND', { resource: 'transaction', id: hash })
      const { sealed, to, input } = facts
      const logs = sealed?.logs.slice(0, shownLimit) ?? []
      const position = facts.origin === 'local' ? sealed : undefined
      const calls = position && (await loadCallsOfTransaction(queries, position, shownLimit))
      const transfers = position && (await loadTransfersIn(queries, position, shownLimit))
      const first = calls?.[0]
      // Including the data of the transaction.
      if (first) first.input = Buffer.from(input.slice(2), 'hex')

      const target = to ?? sealed?.contractAddress
      const called = (calls ?? []).map(({ recipient }) => recipient)
      const targets = framesOf(facts).map(({ target }) => target)
      const known = await abis.load(
        [...called, ...logs.map(({ address }) => address), target, ...targets].filter(isAddress),
      )
      const created = await loadCreatedDeployments(queries, calls ?? [])
      const decoded = calls?.map((call, index) => decodeCall(call, known, implementationOf(calls, index), created))
      const abisOf = (address: Address) =>
        [address, ...delegatesOf(calls ?? [], address)].map((one) => known.get(one)?.abi)
      return {
        ...facts,
        contract: target && known.get(target)?.name,
        function: decoded
          ? decoded[0]?.function
          : (decodeInput(to && known.get(to)?.abi, input) ?? decodeInput(tokenAbi, input)),
        revert: decoded?.[0]?.revert,
        frames: framesOf(facts).map((frame) => decodeFrame(frame, known)),
        calls: decoded,
        events: logs.map((log) => ({
          ...log,
          contract: known.get(log.address)?.name,
          event: decodeEvent([...abisOf(log.address), tokenAbi], log),
        })),
        transfers,
      }
    },
  }
}

const isAddress = (address: Address | undefined): address is Address => address !== undefined

/** With the targets that they have, if they do not say one. */
const framesOf = ({ frameTransaction }: { frameTransaction: FrameTransaction | undefined }): Frame[] =>
  frameTransaction?.frames.map((frame) => ({ ...frame, target: frame.target ?? frameTransaction.sender })) ?? []

type Known = ReadonlyMap<Address, KnownContract>

function decodeCall(
  call: CallRecord,
  known: Known,
  implementation: Address | undefined,
  created: ReadonlyMap<Address, DeploymentRecord>,
): DecodedCall {
  const own = known.get(call.recipient)
  const all = [...known.values()].map(({ abi: one }) => one)
  const candidates = [own?.abi, implementation && known.get(implementation)?.abi, tokenAbi]
  const { selector, outcome } = call
  const input = call.input ?? new Uint8Array()
  const abi = candidates.find((candidate) => selector !== undefined && candidate?.functions.has(selector)) ?? own?.abi
  const output = call.output && hexFromBytes(call.output)
  const failed = outcome === 'failed'
  return {
    ...call,
    contract: own?.name ?? (call.recipient === consoleAddress ? 'console' : undefined),
    function: isCreation(call)
      ? constructorOf(own?.abi, created.get(call.recipient))
      : call.recipient === consoleAddress
        ? decodeLogCall(input)
        : decodeInput(abi, hexFromBytes(input)),
    returned: failed || !output || selector === undefined ? undefined : decodeOutput(abi, selector, output),
    // An error may come from an inner call.
    revert: failed && output && call.halt === undefined ? decodeRevert([...candidates, ...all], output) : undefined,
  }
}

function decodeFrame(frame: Frame, known: Known): DecodedFrame {
  const own = frame.target && known.get(frame.target)
  return {
    ...frame,
    contract: own?.name,
    function: decodeInput(own?.abi, frame.data) ?? decodeInput(tokenAbi, frame.data),
  }
}

function decodeLogCall(input: Uint8Array): Decoded | undefined {
  const values = decodeConsoleInput(input)
  return (
    values && {
      name: 'log',
      signature: `log(${values.map(({ type }) => type).join(',')})`,
      args: values.map((value) => ({ name: '', ...value })),
    }
  )
}

function constructorOf(abi: ContractAbi | undefined, deployment: DeploymentRecord | undefined): Decoded | undefined {
  if (!deployment) return undefined
  const inputs = abi?.constructorItem?.inputs ?? []
  return {
    name: 'constructor',
    signature: `constructor(${inputs.map(({ type }) => type).join(',')})`,
    args: deployment.constructorArgs as DecodedValue[] | undefined,
  }
}

/** What the calls of this transaction created, as far as known. */
async function loadCreatedDeployments(
  queries: Database['queries'],
  calls: readonly CallRecord[],
): Promise<Map<Address, DeploymentRecord>> {
  const addresses = calls.filter(isCreation).map(({ recipient }) => recipient)
  const deployments = addresses.length === 0 ? [] : await loadDeployments(queries, { addresses })
  return new Map(deployments.map((deployment) => [deployment.address, deployment]))
}

/** A proxy forwards its input: the target, if that was its first action. */
function implementationOf(calls: readonly CallRecord[], index: number): Address | undefined {
  const [call, next] = [calls[index], calls[index + 1]]
  const isHandedOn =
    call !== undefined &&
    next?.type === 'DELEGATECALL' &&
    next.sender === call.recipient &&
    next.depth === call.depth + 1 &&
    next.selector === call.selector &&
    next.inputSize === call.inputSize
  return isHandedOn ? next.recipient : undefined
}

/** Contracts whose code an address ran with DELEGATECALL: their events have its address. */
function delegatesOf(calls: readonly CallRecord[], address: Address): Address[] {
  const delegated = calls.filter(({ type, sender }) => type === 'DELEGATECALL' && sender === address)
  return [...new Set(delegated.map(({ recipient }) => recipient))]
}
