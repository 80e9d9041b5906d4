import type { LineTable } from '@understudy/client'

/** Where an instruction comes from. */
export type CodePlace = {
  file: string
  /** Counted from 1. */
  line: number
  /** With its contract: `Token.transfer`; `undefined` outside of functions, as in the dispatcher. */
  function: string | undefined
  /** The instruction belongs to the function as a whole, as those that enter it do. */
  isEntry: boolean
}

export type Jump = 'in' | 'out'

type Entry = { file: number; line: number; function: number; jump: string }

const jumpIf = 0x57
const jumpDestination = 0x5b

/** The lines of a contract's code by program counter. What a table has wrong is read as unknown. */
export class CodeLines {
  readonly #table: LineTable
  readonly #entries: readonly string[]
  /** The instruction at each program counter, and the first one of its basic block. */
  readonly #instructions = new Map<number, { index: number; block: number }>()
  #places: Entry[] | undefined
  /** The program counters of the instructions. */
  readonly #counters: number[] = []

  /** `code`: that was run, of which the table's `map` is. */
  constructor(table: LineTable, map: string, code: Uint8Array) {
    this.#table = table
    this.#entries = map.split(';')
    for (let pc = 0, index = 0, block = 0; pc < code.length && index < this.#entries.length; index++) {
      const op = code[pc] as number
      if (op === jumpDestination) block = index
      this.#instructions.set(pc, { index, block })
      this.#counters.push(pc)
      if (op === jumpIf) block = index + 1
      pc += op >= 0x60 && op <= 0x7f ? op - 0x5e : 1
    }
  }

  /** The program counter of the instruction that follows in the code. */
  after(pc: number): number | undefined {
    const instruction = this.#instructions.get(pc)
    return instruction && this.#counters[instruction.index + 1]
  }

  at(pc: number): CodePlace | undefined {
    return this.#placeOf(this.#find(pc))
  }

  /** The place in a function of an instruction or, if it has none, of one before it that always runs with it. */
  near(pc: number): CodePlace | undefined {
    const from = this.#instructions.get(pc)
    for (let index = from?.index ?? -1; from && index >= from.block; index--) {
      const place = this.#placeOf(this.#entry(index))
      if (place?.function !== undefined && !place.isEntry) return place
    }
    return undefined
  }

  /** The place of the first instruction of the basic block of another one. */
  blockOf(pc: number): CodePlace | undefined {
    const instruction = this.#instructions.get(pc)
    return instruction && this.#placeOf(this.#entry(instruction.block))
  }

  /** Where a function begins, by its name without the contract; `undefined` if there are several. */
  entryOf(name: string): CodePlace | undefined {
    this.#places ??= this.#decode()
    let found: CodePlace | undefined
    for (const entry of this.#places) {
      const place = entry.function < -1 ? this.#placeOf(entry) : undefined
      if (place?.function?.replace(/^.*\./, '') !== name) continue
      if (found && (found.file !== place.file || found.line !== place.line)) return undefined
      found = place
    }
    return found
  }

  #placeOf(found: Entry | undefined): CodePlace | undefined {
    const file = found && this.#table.files[found.file]
    if (!found || file === undefined || !(found.line > 0)) return undefined
    const isEntry = found.function < -1
    const name = this.#table.functions[isEntry ? -2 - found.function : found.function]
    return { file, line: found.line, function: name, isEntry }
  }

  jumpAt(pc: number): Jump | undefined {
    const jump = this.#find(pc)?.jump
    return jump === 'i' ? 'in' : jump === 'o' ? 'out' : undefined
  }

  #find(pc: number) {
    const instruction = this.#instructions.get(pc)
    return instruction && this.#entry(instruction.index)
  }

  #entry(index: number): Entry | undefined {
    this.#places ??= this.#decode()
    return this.#places[index]
  }

  #decode(): Entry[] {
    let [file, line, place, jump] = [-1, 0, -1, '-']
    return this.#entries.map((entry) => {
      const fields = entry.split(':')
      file = numberOf(fields[0], file)
      line = numberOf(fields[1], line)
      place = numberOf(fields[2], place)
      jump = fields[3] || jump
      return { file, line, function: place, jump }
    })
  }
}

const numberOf = (field: string | undefined, last: number) => (field ? Number(field) : last)
