import type { Address, CallFrame, CallType, Hex } from '@understudy/evm'
import type { CodeLocation } from '../../contracts/codeLines.ts'

/** Deeper calls, and more different ones, count for those that make them. */
const nodeLimit = 5000

/** All calls of a function, or of a contract, that one other makes: a part of a flame graph. */
export type CallNode = {
  /** Its position in the list is before this one; `undefined` for the message itself. */
  parent: number | undefined
  type: CallType | 'FUNCTION'
  address: Address
  /** Where the function begins, or its first line that ran if the compiler moved it into its caller. */
  location: CodeLocation | undefined
  /** Of a call of a contract. */
  selector: Hex | undefined
  calls: number
  /** Without that of the calls in it. */
  gas: bigint
  /** Of a call of a contract: the most memory that it had, in bytes, and what the growth cost. */
  memory: { bytes: number; gas: bigint }
}

/** Collects calls by the path of calls to them. */
export class CallNodes {
  readonly list: CallNode[] = []
  readonly #children = new Map<string, number>()

  call({ type, to, input }: CallFrame, parent: number | undefined): number {
    const hasSelector = type !== 'CREATE' && type !== 'CREATE2' && input.length >= 4
    const selector: Hex | undefined = hasSelector ? `0x${Buffer.from(input.subarray(0, 4)).toString('hex')}` : undefined
    return this.#childOf(parent, `${type}${to}${selector}`, { type, address: to, location: undefined, selector })
  }

  function(address: Address, location: CodeLocation, parent: number): number {
    const key = `${location.function}:${location.file}`
    return this.#childOf(parent, key, { type: 'FUNCTION', address, location, selector: undefined })
  }

  node(index: number): CallNode {
    return this.list[index] as CallNode
  }

  #childOf(
    parent: number | undefined,
    key: string,
    fields: Pick<CallNode, 'type' | 'address' | 'location' | 'selector'>,
  ) {
    const path = `${parent}:${key}`
    const known = this.#children.get(path)
    if (known !== undefined) return known
    if (parent !== undefined && this.list.length >= nodeLimit) return parent
    const index = this.list.push({ ...fields, parent, calls: 0, gas: 0n, memory: { bytes: 0, gas: 0n } }) - 1
    this.#children.set(path, index)
    return index
  }
}
