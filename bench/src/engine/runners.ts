import { createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, Address, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import { type BlockContext, type CoverageSink, createEvm, type Hex } from '@understudy/evm'
import type { Anvil } from '@understudy/testkit'
import type { AnvilState } from './anvilState.ts'
import type { Scenario } from './scenarios.ts'

/** Runs the inner call of a scenario this many times in one message. Returns how long the message took. */
export type Runner = { run(scenario: Scenario, times: number): Promise<number> }

const gas = 2_000_000_000n
const caller: Hex = `0x${'ca'.repeat(20)}`

export const block: BlockContext = {
  chainId: 31337n,
  fork: 'prague',
  number: 1000n,
  timestamp: BigInt(Math.floor(Date.now() / 1000)),
  coinbase: `0x${'00'.repeat(20)}`,
  gasLimit: 1_000_000_000_000n,
  baseFee: 0n,
  prevRandao: 1n,
  blobBaseFee: 1n,
}

/** Input of the repeater. */
export function inputOf({ target, data }: Scenario, times: number): Hex {
  return `0x${target.slice(2).padStart(64, '0')}${times.toString(16).padStart(64, '0')}${data.slice(2)}`
}

export function createEngineRunner(state: AnvilState, repeater: Hex, coverage?: CoverageSink): Runner {
  const evm = createEvm()
  return {
    async run(scenario, times) {
      const data = hexToBytes(inputOf(scenario, times))
      const message = { from: caller, to: repeater, value: 0n, data, gasLimit: gas, gasPrice: 0n }
      for (;;) {
        const start = performance.now()
        const result = evm.run(message, block, state, { kind: 'call', coverage })
        const ms = performance.now() - start
        if (result.type === 'missing') {
          await state.load(result)
          continue
        }
        if (result.type !== 'done' || result.status !== 'success')
          throw new Error(
            `${scenario.name} failed in the engine: ${result.type === 'done' ? (result.halt ?? result.status) : result.reason}`,
          )
        return ms
      }
    },
  }
}

export function createAnvilRunner(anvil: Anvil, repeater: Hex): Runner {
  return {
    async run(scenario, times) {
      const call = { from: caller, to: repeater, data: inputOf(scenario, times), gas: `0x${gas.toString(16)}` }
      const start = performance.now()
      await anvil.rpc('eth_call', [call, 'latest'])
      return performance.now() - start
    },
  }
}

/** Takes the state that the engine loaded: run the scenario there first. */
export async function createEthereumjsRunner(state: AnvilState, repeater: Hex): Promise<Runner> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })
  const stateManager = new SimpleStateManager({ common })
  for (const [address, { balance, nonce, code }] of state.accounts) {
    const at = new Address(hexToBytes(address))
    await stateManager.putAccount(at, new Account(nonce, balance))
    if (code.length > 0) await stateManager.putCode(at, code)
    for (const [key, value] of state.slots.get(address) ?? []) {
      await stateManager.putStorage(at, hexToBytes(key), hexToBytes(`0x${value.toString(16).padStart(64, '0')}`))
    }
  }
  const vm = await createVM({ common, stateManager })
  const header = { number: block.number, timestamp: block.timestamp, gasLimit: block.gasLimit, baseFeePerGas: 0n }
  const ethereumjsBlock = createBlock({ header }, { common, skipConsensusFormatValidation: true, setHardfork: false })
  return {
    async run(scenario, times) {
      const data = hexToBytes(inputOf(scenario, times))
      await vm.evm.journal.checkpoint()
      const start = performance.now()
      const { execResult } = await vm.evm.runCall({
        caller: new Address(hexToBytes(caller)),
        to: new Address(hexToBytes(repeater)),
        data,
        gasLimit: gas,
        block: ethereumjsBlock,
        skipBalance: true,
      })
      const ms = performance.now() - start
      await vm.evm.journal.revert()
      if (execResult.exceptionError)
        throw new Error(`${scenario.name} failed in ethereumjs: ${execResult.exceptionError.error}`)
      return ms
    },
  }
}
