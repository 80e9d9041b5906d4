import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

export type Note = Result<'dev_getTransactionNotes'>[number]

const notesQuery = { queryKey: ['network', 'notes'], queryFn: () => rpc('dev_getTransactionNotes') }

/** Every list asks for each of its transactions: the notes are found by their hash. */
const byHash = (notes: readonly Note[]) => new Map(notes.map((note) => [note.transactionHash, note]))

/** What was written about a transaction; `undefined` if nothing was. */
export function useNote(hash: Hex): Note | undefined {
  return useQuery({ ...notesQuery, select: byHash }).data?.get(hash.toLowerCase() as Hex)
}
