import { artifacts } from '@understudy/testkit'
import { type Address, encodeFunctionData } from 'viem'
import type { Rpc } from '../rpc.ts'
import { madeUpAddress, type Step, send, sign, type Worker } from '../worker.ts'

/** The fields of a tracked item that the load changes. */
type Known = { name: string; recordTrigger: string } | null

/** Only transactions change what is tracked, so that a sample is the state of its block. */
const trackedAddress = ({ name }: Worker, index: number): Address => madeUpAddress(`${name} tracked ${index}`)

const triggers = [{ recordTrigger: 'every-tx' }, { recordTrigger: 'every-n-blocks', trackingFrequency: 3 }] as const

/** Adds, renames and removes tracked items: a balance and a token's balance by each trigger. */
export const track: Step = async (worker) => {
  const { rpc, register, random, live } = worker
  const index = random.below(4)
  const holder = trackedAddress(worker, index)
  const item = {
    ...(index < 2
      ? { type: 'native-token-balance', address: holder }
      : { type: 'erc20-balance', address: live.token, functionArgs: `["${holder}"]` }),
    ...(index % 2 === 0 ? triggers[0] : triggers[1]),
    tags: [holder],
  }
  const find = async (rpc: Rpc) =>
    (await rpc<{ id: string; name: string; recordTrigger: string }[]>('dev_getTrackedData', { tag: holder }))[0]
  const read = async (rpc: Rpc): Promise<Known> => {
    const found = await find(rpc)
    return found ? { name: found.name, recordTrigger: found.recordTrigger } : null
  }
  const key = `tracked item ${holder}`
  if (register.value(key) === undefined) register.know<Known>(key, read, null)
  const known = register.value<Known>(key)
  const name = `item ${random.below(1_000)}`
  const to = { name, recordTrigger: String(item.recordTrigger) }
  if (!known) return register.change(key, to, () => rpc('dev_addTrackedData', { name, ...item }))
  const id = (await find(rpc))?.id
  if (random.below(3) === 0) return register.change(key, null, () => rpc('dev_removeTrackedData', id))
  await register.change(key, to, () => rpc('dev_updateTrackedData', id, { name }))
}

/** Changes the tracked accounts. */
export const payTracked: Step = async (worker) => {
  const { live, random } = worker
  const index = random.below(4)
  const to = trackedAddress(worker, index)
  const transfer = () => encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'transfer', args: [to, 3n] })
  const signed = await sign(worker, index < 2 ? { to, value: 5n } : { to: live.token, data: transfer() })
  const key = `payment ${signed.hash}`
  const read = async (rpc: Rpc) => (await rpc('eth_getTransactionReceipt', signed.hash)) !== null
  worker.register.know(key, read, false)
  await worker.register.change(key, true, () => send(worker, signed))
}
