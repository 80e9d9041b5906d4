import { useQuery } from '@tanstack/react-query'
import { type Hex, hexToBigInt } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type Snapshot = { id: Hex; name: string | null; block: bigint }
export type Snapshots = { snapshots: Snapshot[]; head: bigint }

/** The snapshots, newest first, with the latest block. */
export function useSnapshots() {
  return useQuery({
    queryKey: ['head', 'snapshots'],
    async queryFn(): Promise<Snapshots> {
      const [listed, head] = await Promise.all([rpc('dev_getSnapshots'), rpc<Hex>('eth_blockNumber')])
      const snapshots = listed.map(({ id, name, blockNumber }) => ({ id, name, block: hexToBigInt(blockNumber) }))
      return { snapshots, head: hexToBigInt(head) }
    },
  })
}

export function useTakeSnapshot() {
  return useAction(
    (name: string) => rpc<Hex>('evm_snapshot', ...(name ? [name] : [])),
    () => 'Snapshot taken',
  )
}

export function useRevert() {
  return useAction(
    async ({ id }: Snapshot) => {
      if (!(await rpc<boolean>('evm_revert', id))) throw new Error('This snapshot no longer exists')
    },
    (_, { block }) => `Reverted to block ${block}`,
  )
}
