import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Hex } from 'viem'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

type Opened = Result<'dev_debugOpen'>
/** `first`: the operation at which it began. */
export type Session = Opened & { first: number }
export type DebugPosition = Opened['position']
/** Where to go, as `dev_debugStep` takes it. */
export type Move =
  | 'in'
  | 'over'
  | 'out'
  | 'write'
  | 'call'
  | 'revert'
  | 'end'
  | { step: number }
  | { lines: { file: string; line: number }[] }

/** A debug session of a transaction, which ends with the page. */
export function useDebugSession(hash: Hex) {
  const [session, setSession] = useState<Session>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    let isLeft = false
    let id: string | undefined
    const close = () => {
      isLeft = true
      // It ends by itself where this does not arrive.
      if (id !== undefined) void rpc('dev_debugClose', id).catch(() => undefined)
    }
    rpc('dev_debugOpen', hash).then(
      (opened) => {
        id = opened.id
        if (isLeft) close()
        else setSession({ ...opened, first: opened.position.step })
      },
      (error: unknown) => {
        if (!isLeft) setProblem(error)
      },
    )
    return close
  }, [hash])
  const step = useMutation({
    mutationFn: ({ to, back = false }: { to: Move; back?: boolean }) =>
      rpc('dev_debugStep', (session as Session).id, to, back),
    onSuccess: (position) => setSession((known) => known && { ...known, position }),
  })
  return { session, problem: problem ?? step.error, step }
}

/** A variable, or a part of one. `problem`: why its value is not known. */
export type DebugVariable = {
  path: string
  name: string
  type: string
  value: string | null
  problem?: string | null
  parts: { entries: readonly DebugVariable[]; next: string | null } | null
}

/** The variables where a session is, of a function of the stack (0: the innermost one), as far as they are known. */
export function useDebugVariables({ id, position }: Session, level: number) {
  return useQuery({
    queryKey: ['fixed', 'debugVariables', id, position.step, level],
    queryFn: async () => variablesFrom(await rpc('dev_debugVariables', id, { limit: 50, level })),
    placeholderData: (before: Variables | undefined) => before,
  })
}

type Variables = { locals: { problem: string | null; entries: DebugVariable[] }; entries: DebugVariable[] }

/** The types of the methods do not describe parts, which contain entries. */
const variablesFrom = ({ locals, entries }: Result<'dev_debugVariables'>) =>
  ({ locals, entries }) as unknown as Variables

/** The values of variables by their paths; a query fails where there is none. */
export function useWatched({ id, position }: Session, level: number, paths: readonly string[]) {
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ['fixed', 'debugVariables', id, position.step, level, path],
      queryFn: () => loadWatched(id, level, path),
      retry: false,
    })),
  })
}

async function loadWatched(id: string, level: number, path: string): Promise<DebugVariable> {
  const answer = await rpc('dev_debugVariables', id, { limit: 50, level, path })
  const { locals, entries } = variablesFrom(answer)
  const [local] = locals.entries
  const { entry, next } = answer
  if (local) return local
  const problem = answer.isKnown ? 'There is no such variable here' : 'Not known: imported without a storage layout'
  if (!entry) return { path, name: path, type: '', value: null, problem, parts: null }
  const parts = entry.value === null ? { entries, next } : null
  return { ...entry, parts }
}
