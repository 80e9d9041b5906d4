import { hexFromBytes } from '../bytes.ts'
import { isCreation } from '../callFrames.ts'
import { requireRules } from '../forks.ts'
import type { Address, BlockContext, Hex } from '../port.ts'
import { type CallNode, callTree } from './callTree.ts'
import { haltMessages } from './haltMessages.ts'
import { isPrecompile } from './isPrecompile.ts'
import { parityMessage } from './parityMessages.ts'
import { quantity, type TracedRun } from './tracer.ts'

export type FlatCallTracerOptions = {
  /** Errors in the words of OpenEthereum. */
  convertParityErrors?: boolean
  /** Shows calls of precompiles too. */
  includePrecompiles?: boolean
  /** Gas of the outermost call as OpenEthereum gives it: without what the transaction costs before it begins. */
  withoutIntrinsicGas?: boolean
}

export type FlatCallTrace = {
  type: 'call' | 'create' | 'suicide'
  action: Record<string, Hex | string>
  result?: { gasUsed: Hex; output?: Hex; address?: Address; code?: Hex } | null
  error?: string
  subtraces: number
  traceAddress: number[]
  blockHash?: Hex
  blockNumber?: number
  transactionHash?: Hex
  transactionPosition?: number
}

/** go-ethereum's `flatCallTracer`: the calls as a list, as OpenEthereum's `trace_transaction` shows them. */
export async function flatCallTracer(run: TracedRun, options: FlatCallTracerOptions = {}): Promise<FlatCallTrace[]> {
  const { result, message, block, transactionPosition } = run
  const errors = await haltMessages(run)
  const where = transactionPosition && {
    blockHash: transactionPosition.blockHash,
    blockNumber: Number(transactionPosition.blockNumber),
    transactionHash: transactionPosition.transactionHash,
    transactionPosition: transactionPosition.transactionIndex,
  }
  const whole = !options.withoutIntrinsicGas
  const traces: FlatCallTrace[] = []

  function add(node: CallNode, traceAddress: number[]): void {
    const { frame, index } = node
    const children = options.includePrecompiles ? node.children : node.children.filter(isShown(block))
    const error = errors[index]
    const gas = index === 0 && whole ? message.gasLimit : frame.gas
    const gasUsed = index === 0 && whole ? result.gasUsed : frame.gasUsed
    const shown = error === undefined || frame.error === 'revert' ? resultOf(node, gasUsed, error) : undefined
    traces.push({
      ...actionOf(node, gas),
      ...(shown && { result: shown }),
      ...(error !== undefined && { error: options.convertParityErrors ? parityMessage(error) : error }),
      subtraces: children.length,
      traceAddress,
      ...where,
    })
    for (const [position, child] of children.entries()) add(child, [...traceAddress, position])
  }

  add(callTree(result.frames), [])
  return traces
}

/** Calls of precompiles are as good as operations. */
function isShown(block: BlockContext): (node: CallNode) => boolean {
  const rules = requireRules(block.fork)
  return ({ frame: { type, to } }) => !((type === 'CALL' || type === 'STATICCALL') && isPrecompile(to, rules))
}

function actionOf({ frame }: CallNode, gas: bigint): Pick<FlatCallTrace, 'type' | 'action'> {
  const { type, from, to } = frame
  const value = quantity(frame.value)
  const input = hexFromBytes(frame.input)
  const name = type.toLowerCase()
  switch (type) {
    case 'SELFDESTRUCT':
      return { type: 'suicide', action: { address: from, balance: value, refundAddress: to } }
    case 'CREATE':
    case 'CREATE2':
      return { type: 'create', action: { creationMethod: name, from, gas: quantity(gas), init: input, value } }
    default:
      return { type: 'call', action: { callType: name, from, gas: quantity(gas), input, to, value } }
  }
}

function resultOf({ frame }: CallNode, gas: bigint, error: string | undefined): FlatCallTrace['result'] {
  const { type, to, output } = frame
  const gasUsed = quantity(gas)
  if (type === 'SELFDESTRUCT') return undefined
  if (!isCreation(frame)) return { gasUsed, output: hexFromBytes(output) }
  return { ...(error === undefined && { address: to }), code: hexFromBytes(output), gasUsed }
}
