import type { LineTable } from '@understudy/client/artifacts'
import { type Address, type CallFrame, isCreation, type TracedRun } from '@understudy/evm'
import { CodeLines } from '../../contracts/codeLines.ts'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import type { KnownContracts } from '../../contracts/knownContracts.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import { type LoadingView, loadCode } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadVersionPart } from '../../storage/records/contracts/contracts.ts'

import type { SourceLocation } from '../../storage/records/contracts/sourceLocation.ts'

export type { SourceLocation }

/** How long it may block other requests, in milliseconds. */
const sliceMs = 10
/** Maximum number of contract versions whose lines are loaded for a run. */
const versionLimit = 200

/** Loads the lines of the code that frames of a run ran, by the index of the frame, as far as they were imported. */
export type LoadRunLines = (run: TracedRun, indices: Iterable<number>) => Promise<Map<number, CodeLines>>

type Needs = { database: Pick<Database, 'queries'>; library: Pick<ContractLibrary, 'match'> }

export function createRunLines({ database: { queries }, library }: Needs): LoadRunLines {
  /** The lines of code; `made` has those of its versions, as contracts of one version differ only in what they push. */
  async function loadLines(
    code: Uint8Array,
    isCreation: boolean,
    made: Map<string, CodeLines | undefined>,
  ): Promise<CodeLines | undefined> {
    const matches = isCreation ? await library.match(new Uint8Array(), code) : await library.match(code)
    for (const { versionId } of matches) {
      const key = `${versionId} ${isCreation}`
      if (!made.has(key)) {
        if (made.size >= versionLimit) return undefined
        const table = (await loadVersionPart(queries, versionId, 'lines')) as LineTable | undefined
        const map = isCreation ? table?.creation : table?.runtime
        made.set(key, table && map ? new CodeLines(table, map, code) : undefined)
      }
      const lines = made.get(key)
      if (lines) return lines
    }
    return undefined
  }

  return async ({ view, result: { frames } }, indices) => {
    const found = new Map<number, CodeLines>()
    const known = new Map<Address, CodeLines | undefined>()
    const made = new Map<string, CodeLines | undefined>()
    const codeOf = codesOf(view, frames)
    const pace = createPace(sliceMs)
    for (const index of indices) {
      await pace()
      const frame = frames[index] as CallFrame
      if (isCreation(frame)) {
        const lines = await loadLines(frame.input, true, made)
        if (lines) found.set(index, lines)
        continue
      }
      if (!known.has(frame.to)) {
        const code = await codeOf(frame.to)
        known.set(frame.to, code.length > 0 ? await loadLines(code, false, made) : undefined)
      }
      const lines = known.get(frame.to)
      if (lines) found.set(index, lines)
    }
    return found
  }
}

/**
 * Loads the code of contracts before a run, or as the run created them; empty for accounts without code. The state may have
 * left memory since the run.
 */
export function codesOf(
  view: TracedRun['view'],
  frames: readonly CallFrame[],
): (address: Address) => Promise<Uint8Array> {
  const created = new Map<Address, Uint8Array>()
  for (const frame of frames) if (isCreation(frame) && frame.error === undefined) created.set(frame.to, frame.output)
  return async (address) => {
    const code = await loadCode(view as LoadingView, address)
    return code.length > 0 ? code : (created.get(address) ?? code)
  }
}

/** What was found of each instruction of a run, by its position. Frames with the same lines run the same code. */
export class InstructionTables<Instruction> {
  readonly #tables = new Map<CodeLines, (Instruction | undefined)[]>()

  /** The instructions that are known so far. A caller that finds one adds it. */
  of(lines: CodeLines): (Instruction | undefined)[] {
    const known = this.#tables.get(lines) ?? []
    this.#tables.set(lines, known)
    return known
  }
}

/** Where an operation of a frame comes from. */
export type StepLocations = (run: TracedRun, frame: number, pc: number) => Promise<SourceLocation>

type StepNeeds = { loadLines: LoadRunLines; abis: KnownContracts }

export function createStepLocations({ loadLines, abis }: StepNeeds): StepLocations {
  return async (run, index, pc) => {
    const { to } = run.result.frames[index] as CallFrame
    const lines = (await loadLines(run, [index])).get(index)
    const location = lines?.near(pc) ?? lines?.at(pc)
    const known = (await abis.load([to])).get(to)
    return {
      address: to,
      contract: known?.name,
      file: location?.file,
      line: location?.line,
      function: location?.function,
    }
  }
}
