import { artifacts } from '@understudy/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import type { Rpc } from '../rpc.ts'
import { type Step, slotOfValue } from '../worker.ts'

const { abi } = artifacts.SlotReader
const functionAbi = 'function values(uint256) view returns (uint256)'

/** An override as it is listed, and what the function answers. */
type Known = { listed: { value: string; enabled: boolean } | null; answer: string }
type Listed = { id: string; inputParams: string[]; returnValues: string[]; enabled: boolean }

/** Adds, changes, turns off and on, and removes the override of a function for one input. */
export const override: Step = async (worker) => {
  const { rpc, register, random, live } = worker
  const input = String(1_000 + 10 * Number(worker.name.at(-1)) + random.below(3))
  const find = async (rpc: Rpc) =>
    (await rpc<Listed[]>('dev_getFunctionOverridesByContract', live.reader)).find((it) => it.inputParams[0] === input)
  const read = async (rpc: Rpc): Promise<Known> => {
    const found = await find(rpc)
    const data = encodeFunctionData({ abi, functionName: 'values', args: [BigInt(input)] })
    const answer = BigInt(await rpc<Hex>('eth_call', { to: live.reader, data }, 'latest')).toString()
    return { listed: found ? { value: found.returnValues[0] ?? '', enabled: found.enabled } : null, answer }
  }
  const key = `override of values(${input}), slot ${slotOfValue(Number(input))}`
  if (register.value(key) === undefined) register.know<Known>(key, read, { listed: null, answer: '0' })
  const { listed } = register.value<Known>(key) as Known
  const value = String(1 + random.below(1_000_000))
  const known = (value: string, enabled: boolean): Known => ({
    listed: { value, enabled },
    answer: enabled ? value : '0',
  })
  const id = (await find(rpc))?.id
  if (!listed) {
    const wanted = { contractAddress: live.reader, functionAbi, inputParams: [input], returnValues: [value] }
    return register.change(key, known(value, true), () => rpc('dev_addFunctionOverride', wanted))
  }
  const changes = [
    [known(value, listed.enabled), () => rpc('dev_updateFunctionOverride', id, [value])],
    [known(listed.value, !listed.enabled), () => rpc(`dev_${listed.enabled ? 'dis' : 'en'}ableFunctionOverride`, id)],
    [{ listed: null, answer: '0' }, () => rpc('dev_removeFunctionOverride', id)],
  ] as const
  const [to, request] = random.pick(changes)
  await register.change(key, to, request)
}
