import type { CodeLines } from '../contracts/codeLines.ts'

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
