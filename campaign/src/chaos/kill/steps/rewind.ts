import type { Hex } from 'viem'
import type { Rpc } from '../rpc.ts'
import { madeUpWord, type Step, send, sign } from '../worker.ts'

/** Takes a snapshot, makes several changes and reverts them: all are undone, or none. Only for a worker that is alone. */
export const rewind: Step = async (worker) => {
  const { rpc, register, random } = worker
  const id = await rpc<Hex>('evm_snapshot')
  const nonce = worker.nonce
  const [payee, account] = [worker.freshAddress(), worker.freshAddress()]
  const payments = [await sign(worker, { to: payee, value: 3n }), await sign(worker, { to: payee, value: 4n })]
  const read = async (rpc: Rpc) => ({
    paid: Number(await rpc('eth_getBalance', payee, 'latest')),
    receipts: await Promise.all(payments.map(async ({ hash }) => !!(await rpc('eth_getTransactionReceipt', hash)))),
    slot: await rpc('eth_getStorageAt', account, '0x1', 'latest'),
  })
  const word = madeUpWord(random.below(1_000))
  const untouched = { paid: 0, receipts: [false, false], slot: madeUpWord(-1) }
  const steps = [
    { to: { ...untouched, paid: 3, receipts: [true, false] }, request: () => send(worker, payments[0] as never) },
    {
      to: { paid: 3, receipts: [true, false], slot: word },
      request: () => rpc('dev_setStorageAt', account, '0x1', word),
    },
    { to: { paid: 7, receipts: [true, true], slot: word }, request: () => send(worker, payments[1] as never) },
  ]
  const key = `rewind of ${payee}`
  register.know<unknown>(key, read, untouched)
  for (const { to, request } of steps) await register.change(key, to, request)
  // What waited at the snapshot waits again.
  await register.change(key, untouched, () => rpc('evm_revert', id))
  worker.nonce = nonce
}

/** Takes a snapshot that stays. */
export const keepSnapshot: Step = async ({ rpc, register, random, name: worker }) => {
  const name = `${worker} ${random.below(3)}`
  const key = `snapshot ${name}`
  const read = async (rpc: Rpc) =>
    (await rpc<{ name: string | null }[]>('dev_getSnapshots')).filter((it) => it.name === name).length
  if (register.value(key) === undefined) register.know(key, read, 0)
  if (register.value(key) === 0) await register.change(key, 1, () => rpc('evm_snapshot', name))
}
