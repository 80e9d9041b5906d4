import { useMutation, useQuery } from '@tanstack/react-query'
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

/** The state variables where a session is, as far as the layout of the contract is known. */
export function useDebugVariables({ id, position }: Session) {
  return useQuery({
    queryKey: ['fixed', 'debugVariables', id, position.step],
    queryFn: () => rpc('dev_debugVariables', id, { limit: 50 }),
    placeholderData: (before: Result<'dev_debugVariables'> | undefined) => before,
  })
}
