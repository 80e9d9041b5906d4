import type { Address } from '@understudy/evm'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type { History } from '../chain/history/history.ts'
import type { Submission } from '../chain/submission/submission.ts'
import type { EntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import type { Execution } from '../execution/execution.ts'
import { createMutex } from '../shared/async/mutex.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import type { StateWrites } from '../state/stateWrites.ts'
import { loadCode } from '../state/view.ts'

/** The paymaster of this network, which pays for every operation. */
export const sponsorAddress: Address = '0x4337000000000000000000000000000000007677'

/** What the entry point may spend on it, in gas. */
export const sponsorVerificationGas = 30_000n

/** A paymaster, and what the entry point may spend on it, in gas. */
export type Sponsorship = { address: Address; version: EntryPoint['version']; verificationGas: bigint }

/** Answers every call with an empty context and validation data of 0: accepted, at any time. */
const code = bytesFromHex('0x604060005260606000f3')

/** Wei. The deposit is filled up to `full` when less than `low` is left. */
const deposit = { low: 10n ** 20n, full: 10n ** 21n }

type Needs = {
  bundler: Address
  history: Pick<History, 'at'>
  submission: Pick<Submission, 'send'>
  state: Pick<StateWrites, 'setCode'>
  execution: Pick<Execution, 'call'>
  /** Gives the bundler ether if it has too little. */
  fundBundler(): Promise<void>
}

/** Deploys the paymaster, and deposits for it, when an operation first asks for it. */
export function createSponsor({ bundler, history, submission, state, execution, fundBundler }: Needs) {
  const mutex = createMutex()

  return {
    /** Resolves when the paymaster can pay for an operation of this entry point. */
    prepare: ({ abi, address }: EntryPoint) =>
      mutex.run(async () => {
        const point = await history.at('pending')
        if (hexFromBytes(await loadCode(point.view, sponsorAddress)) !== hexFromBytes(code))
          await state.setCode(sponsorAddress, code)
        const read = { abi, functionName: 'balanceOf', args: [sponsorAddress] }
        const output = await execution.call({ to: address, data: bytesFromHex(encodeFunctionData(read)) }, point)
        const left = decodeFunctionResult({ ...read, data: hexFromBytes(output) }) as bigint
        if (left >= deposit.low) return
        await fundBundler()
        const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [sponsorAddress] })
        await submission.send({ from: bundler, to: address, value: deposit.full - left, data: bytesFromHex(data) })
      }),
  }
}
