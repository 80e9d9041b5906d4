import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type LocalAccount = Result<'dev_getLocalState'>['items'][number]

const pageSize = 20

/** A page of the accounts with frozen values. `cursor`: `next` of the page before. */
export function useLocalState(cursor: string | undefined) {
  return useQuery({
    queryKey: ['local', 'state', cursor ?? ''],
    queryFn: () => rpc('dev_getLocalState', { limit: pageSize, cursor }),
    placeholderData: keepPreviousData,
  })
}
