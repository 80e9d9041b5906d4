import { bytesFromHex, hexFromBytes } from '../../bytes.ts'
import { requireRules } from '../../forks.ts'
import { createdAddress, keccak256 } from '../../keccak.ts'
import { opcodes } from '../../opcodes.ts'
import type { Address, CallFrame, Hex, Step, StepOptions, Word } from '../../port.ts'
import { haltMessages, stepMessage } from '../haltMessages.ts'
import { isPrecompile } from '../isPrecompile.ts'
import { memoryAt } from '../memoryAt.ts'
import { type RunningState, replayWithState, type StatefulEvents } from '../runningState.ts'
import { type TracedRun, type Tracer, TracerCodeError } from '../tracer.ts'
import { layout, type Plain, requests } from './layout.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

/** Errors of an operation that go-ethereum finds before it begins: a tracer sees them in `step`, others in `fault`. */
const earlyErrors = new Set<Step['error']>([
  'out of gas',
  'stack underflow',
  'stack overflow',
  'max initcode size exceeded',
])

const names = Object.fromEntries(opcodes.map(({ code, name }) => [code, name]))
const mask = 2n ** 64n - 1n

/** Thrown to run again with what a tracer turned out to read. */
const again = new Error('The tracer reads more than was collected')

/** What is collected of each step: copying it takes long, and most tracers read little. */
type Collected = { stack: boolean; memory: boolean }

/** A tracer in JavaScript, with the interface of go-ethereum's. Throws `TracerCodeError` where its code fails. */
export function jsTracer(code: string, config: unknown): Tracer {
  return async (run) => {
    const errors = await haltMessages(run)
    const collected: Collected = { stack: code.includes('stack'), memory: code.includes('memory') }
    for (;;) {
      try {
        return await traceOnce(run, { code, config, errors, collected })
      } catch (error) {
        if (error !== again) throw error
      }
    }
  }
}

type Traced = { code: string; config: unknown; errors: readonly (string | undefined)[]; collected: Collected }

async function traceOnce(run: TracedRun, traced: Traced): Promise<unknown> {
  let sandbox: Sandbox | undefined
  const steps: StepOptions = { ...traced.collected }
  try {
    return await replayWithState(
      run,
      async (state) => {
        sandbox?.close()
        const host = new TracerHost(run, state, traced)
        sandbox = await openSandbox({ answer: host.answer, time: run.time })
        host.begin(sandbox)
        return host
      },
      steps,
    )
  } finally {
    sandbox?.close()
  }
}

/** What a contract of an open frame is called with. */
type Contract = { caller: Address; address: Address; value: string; input: Hex }

class TracerHost implements StatefulEvents<unknown> {
  readonly #run: TracedRun
  readonly #state: RunningState
  readonly #traced: Traced
  readonly #readsContract: boolean
  readonly #contracts: Contract[] = []
  #sandbox: Sandbox | undefined
  #step: Step | undefined
  #hasStep = false
  #hasFrames = false
  #isIncomplete = false

  constructor(run: TracedRun, state: RunningState, traced: Traced) {
    this.#run = run
    this.#state = state
    this.#traced = traced
    this.#readsContract = traced.code.includes('contract')
  }

  begin(sandbox: Sandbox): void {
    this.#sandbox = sandbox
    const { code, config } = this.#traced
    const has = Number(this.#callAlone('load', 'setup', code, JSON.stringify(config ?? {})))
    this.#hasStep = (has & 1) !== 0
    this.#hasFrames = (has & 2) !== 0
  }

  /** A call outside of the run, whose own time is counted already. */
  #callAlone(name: string, shown: string, ...args: string[]): Plain {
    const before = performance.now()
    try {
      return this.#call(name, shown, ...args)
    } finally {
      this.#run.time?.spend(performance.now() - before)
    }
  }

  #call(name: string, shown: string, ...args: string[]): Plain {
    let value: Plain
    let failure: TracerCodeError | undefined
    try {
      if (name === 'step') this.#sandbox?.step()
      else value = this.#sandbox?.call(name, ...args)
    } catch (error) {
      if (!(error instanceof TracerCodeError)) throw error
      failure = error
    }
    if (this.#isIncomplete) throw again
    if (!failure) return value
    const where = name === 'load' ? '' : `    in server-side tracer function '${shown}'`
    throw new TracerCodeError(`${failure.message}${where}`)
  }

  enter(frame: CallFrame, index: number): void {
    const { type, from, to, input, gas, value } = frame
    const parent = this.#contracts.at(-1)
    const isBorrowed = type === 'DELEGATECALL' || type === 'CALLCODE'
    const contract = {
      caller: type === 'DELEGATECALL' && parent ? parent.caller : from,
      address: isBorrowed && parent ? parent.address : to,
      value: type === 'DELEGATECALL' && parent ? parent.value : value.toString(),
      input: this.#readsContract ? hexFromBytes(input) : '0x',
    } as const
    this.#contracts.push(contract)
    if (index > 0 && this.#hasFrames) {
      const shown = type === 'STATICCALL' ? undefined : value.toString()
      const call = { type, from, to, input: hexFromBytes(input), gas: Number(gas), value: shown }
      this.#call('enter', 'enter', JSON.stringify(call))
    }
    this.#showContract()
  }

  exit({ gasUsed, output }: CallFrame, index: number): void {
    this.#contracts.pop()
    if (index > 0 && this.#hasFrames) {
      const error = this.#traced.errors[index]
      const ended = { gasUsed: Number(gasUsed), output: hexFromBytes(output), error }
      this.#call('exit', 'exit', JSON.stringify(ended))
    }
    this.#showContract()
  }

  #showContract(): void {
    const contract = this.#contracts.at(-1)
    if (this.#readsContract && contract) this.#call('frame', 'step', JSON.stringify(contract))
  }

  step(step: Step): void {
    const isEarly = earlyErrors.has(step.error)
    if (!this.#hasStep && (step.error === undefined || isEarly)) return
    this.#step = step
    this.#share(step)
    if (isEarly) {
      this.#call('failedStep', 'step', stepMessage(step) ?? '')
      return
    }
    if (this.#hasStep) this.#call('step', 'step')
    if (step.error !== undefined) this.#call('fault', 'fault', stepMessage(step) ?? '')
  }

  /** Leaves a step where the guest reads it. */
  #share({ pc, op, gas, cost, refund, depth, stack, memory }: Step): void {
    const data = this.#sandbox?.shared
    if (!data) return
    const { stack: hasStack, memory: hasMemory } = this.#traced.collected
    const size = hasMemory ? memory.length : -1
    const numbers = [pc, op, Number(gas), Number(cost), Number(refund), depth + 1, stack.length, hasStack ? 1 : 0, size]
    for (const [index, number] of numbers.entries()) data.setFloat64(index * 8, number, true)
    if (!hasStack) return
    const count = Math.min(stack.length, layout.stackWords)
    for (let index = 0; index < count; index++) {
      let word = stack[stack.length - 1 - index] as bigint
      for (let at = layout.stackAt + index * 32, limb = 0; limb < 4; limb++, at += 8, word >>= 64n)
        data.setBigUint64(at, word & mask, true)
    }
  }

  /** Answers what the guest asks. */
  readonly answer = (request: number, args: readonly (string | number)[]): Plain => {
    const state = this.#state
    const address = args[0] as Address
    switch (request) {
      case requests.names:
        return JSON.stringify(names)
      case requests.needStack:
        return this.#need('stack')
      case requests.stackWord:
        return (this.#step?.stack.at(-1 - Number(args[0])) ?? 0n).toString()
      case requests.memoryLength:
        return this.#need('memory') ?? this.#step?.memory.length ?? 0
      case requests.memory:
        return this.#need('memory') ?? this.#memory(Number(args[0]), Number(args[1]))
      case requests.balance:
        return state.balance(address).toString()
      case requests.nonce:
        return Number(state.nonce(address))
      case requests.code:
        return state.code(address)
      case requests.storage:
        // The stack tells what was written.
        return this.#need('stack') ?? wordBytes(state.storage(address, args[1] as Word))
      case requests.exists:
        return state.exists(address)
      case requests.isPrecompile:
        return isPrecompile(address, requireRules(this.#run.block.fork))
      case requests.contractAddress:
        return bytesFromHex(createdAddress(address, nonceFrom(String(args[1]))))
      case requests.contract2Address: {
        const [from, salt, code] = (args as Hex[]).map(bytesFromHex)
        return keccak256(
          Buffer.concat([[0xff], from ?? [], salt ?? [], keccak256(code ?? new Uint8Array(0))].map(Buffer.from)),
        ).subarray(12)
      }
      default:
        return undefined
    }
  }

  #memory(start: number, end: number): Uint8Array {
    const step = this.#step
    const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
    if (!step || !isRange) throw new Error('invalid range of memory')
    return memoryAt(step, BigInt(start), BigInt(end - start))
  }

  /** Ends this pass if that was not collected. */
  #need(what: keyof Collected): undefined {
    if (this.#traced.collected[what]) return undefined
    this.#traced.collected[what] = true
    this.#isIncomplete = true
    throw again
  }

  result(): unknown {
    const { message, block, result, transactionPosition } = this.#run
    const [outer] = result.frames
    const error = this.#traced.errors[0]
    const ctx = {
      type: message.to === undefined ? 'CREATE' : 'CALL',
      from: message.from,
      to: outer?.to ?? message.to,
      input: hexFromBytes(message.data),
      gas: Number(message.gasLimit),
      gasUsed: Number(result.gasUsed),
      gasPrice: message.gasPrice.toString(),
      value: message.value.toString(),
      block: Number(block.number),
      coinbase: block.coinbase,
      output: hexFromBytes(result.output),
      ...(error !== undefined && { error }),
      ...(transactionPosition && {
        blockHash: transactionPosition.blockHash,
        txIndex: transactionPosition.transactionIndex,
        txHash: transactionPosition.transactionHash,
      }),
    }
    const shown = this.#callAlone('result', 'result', JSON.stringify(ctx))
    this.#sandbox?.close()
    // QuickJS had no memory left to hand the text over.
    if (shown === '') throw new TracerCodeError("out of memory    in server-side tracer function 'result'")
    return shown === undefined ? null : JSON.parse(String(shown))
  }
}

/** Long digits would take long to read. */
function nonceFrom(text: string): bigint {
  const nonce = text.length <= 20 ? BigInt(text) : -1n
  if (nonce < 0n || nonce > mask) throw new Error(`invalid nonce: ${text.slice(0, 20)}`)
  return nonce
}

function wordBytes(word: bigint): Uint8Array {
  return bytesFromHex(`0x${word.toString(16).padStart(64, '0')}`)
}
