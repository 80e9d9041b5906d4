import { useMutation } from '@tanstack/react-query'
import { type CallReader, readCalls } from '@understudy/client/calls'
import { encodeFunctionData, type Hex } from 'viem'
import { parseArgument } from '../../../lib/abi/argument.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { accountDrafts, callDraft } from '../../../lib/simulation/drafts.ts'
import { emptyScenario, type Scenario, scenarioLimit } from '../../../lib/simulation/scenario.ts'

const reader: CallReader = {
  call: (call) => rpc<Hex>('eth_call', call, 'latest'),
  encode(fragment, values, field) {
    const args = fragment.inputs.map((input, index) => {
      const value = values[index]
      try {
        return parseArgument(input, typeof value === 'string' ? value : JSON.stringify(value ?? ''))
      } catch (error) {
        throw new Error(`${field}, ${(error as Error).message}`, { cause: error })
      }
    })
    return encodeFunctionData({ abi: [fragment], args } as never)
  },
}

/** Fills in the simulator with what a wallet or a Safe shows. */
export function usePaste() {
  return useMutation({
    async mutationFn({ text, to }: { text: string; to: string }): Promise<Scenario> {
      const { calls, block, stateOverrides, onFailure } = await readCalls(
        text,
        { to: (to.trim() || undefined) as Hex | undefined },
        reader,
      )
      if (calls.length > scenarioLimit)
        throw new Error(
          `The text has ${calls.length} calls. The simulator takes ${scenarioLimit}; understudy simulate takes more`,
        )
      return {
        ...emptyScenario,
        calls: calls.map(callDraft),
        block: typeof block === 'string' || typeof block === 'number' ? String(block) : emptyScenario.block,
        accounts: accountDrafts(stateOverrides),
        onFailure: onFailure === 'revert' ? onFailure : '',
      }
    },
  })
}
