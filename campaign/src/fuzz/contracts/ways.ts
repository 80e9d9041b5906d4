import type { Hex } from 'viem'
import { type Answered, ask } from '../answers.ts'

export type Attack = { url: string; contract: Hex; sender: Hex; data: Hex; transactionGas: number }

const view =
  '{"type":"function","name":"f","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"}'

const called = ({ sender, contract, data }: Attack) => ({ from: sender, to: contract, data })

function traced(config: object): (attack: Attack) => Promise<Answered> {
  return (attack) => ask(attack.url, 'debug_traceCall', [called(attack), 'latest', config])
}

async function send(attack: Attack): Promise<Answered> {
  return ask(attack.url, 'eth_sendTransaction', [{ ...called(attack), gas: attack.transactionGas }])
}

/** The times of a transaction and of the requests about it. */
function sent(method: string, more: readonly unknown[]): (attack: Attack) => Promise<Answered> {
  return async (attack) => {
    const { result, ms } = await send(attack)
    const answered = await ask(attack.url, method, [result, ...more])
    return { ...answered, ms: ms + answered.ms }
  }
}

/** Every way to run chosen code, by name. */
export const ways: Record<string, (attack: Attack) => Promise<Answered>> = {
  call: (attack) => ask(attack.url, 'eth_call', [called(attack), 'latest']),
  estimate: (attack) => ask(attack.url, 'eth_estimateGas', [called(attack)]),
  'access list': (attack) => ask(attack.url, 'eth_createAccessList', [called(attack), 'latest']),
  simulation: (attack) =>
    ask(attack.url, 'eth_simulateV1', [
      { blockStateCalls: [{ calls: [called(attack), called(attack)] }], traceTransfers: true },
      'latest',
    ]),
  initcode: (attack) => ask(attack.url, 'eth_call', [{ from: attack.sender, data: attack.data }, 'latest']),
  'struct logs': traced({}),
  'struct logs with memory': traced({ enableMemory: true, enableReturnData: true }),
  callTracer: traced({ tracer: 'callTracer', tracerConfig: { withLog: true } }),
  prestateTracer: traced({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }),
  flatCallTracer: traced({ tracer: 'flatCallTracer' }),
  '4byteTracer': traced({ tracer: '4byteTracer' }),
  'state diff': (attack) => ask(attack.url, 'trace_call', [called(attack), ['trace', 'stateDiff'], 'latest']),
  transaction: send,
  'trace of a transaction': sent('debug_traceTransaction', [{}]),
  'replay of a transaction': sent('trace_replayTransaction', [['trace', 'stateDiff']]),
  'decoding of a transaction': sent('dev_decodeTransaction', []),
  'token balance': (attack) => ask(attack.url, 'dev_setERC20Balance', [attack.sender, attack.contract, '1']),
  'followed token balance': (attack) => ask(attack.url, 'dev_followTokenBalance', [attack.contract, attack.sender]),
  workspace: async (attack) => {
    const added = await ask(attack.url, 'dev_addWorkspace', [
      { address: attack.contract, name: 'hostile', abi: `[${view}]` },
    ])
    return added
  },
  async 'tracked item'(attack) {
    const item = { address: attack.contract, name: 'hostile', type: 'function-result', functionAbi: view }
    const { result } = await ask(attack.url, 'dev_addTrackedData', [item])
    const sealed = await ask(attack.url, 'evm_mine', [])
    await ask(attack.url, 'dev_removeTrackedData', [(result as { id?: string } | undefined)?.id])
    return sealed
  },
  async override(attack) {
    const rule = { contractAddress: attack.contract, functionAbi: view, inputParams: null, returnValues: ['7'] }
    const { result } = await ask(attack.url, 'dev_addFunctionOverride', [rule])
    const answered = await ask(attack.url, 'eth_call', [{ ...called(attack), data: '0x26121ff0' }, 'latest'])
    await ask(attack.url, 'dev_removeFunctionOverride', [(result as { id?: string } | undefined)?.id])
    return answered
  },
}
