import { setTimeout as sleep } from 'node:timers/promises'
import { callByHttp, callByWebSocket } from './callers.ts'
import { Journal } from './journal.ts'
import { holder } from './users.ts'

/** The longest that somebody else waits, in milliseconds: the work of others may take turns with theirs. */
const waitLimitMs = 10_000
const pauseMs = 20

/** A client of another branch, and of the network, which must notice nothing. */
export async function startBystander(parent: string, branch: string) {
  const journal = new Journal([])
  const clients = [callByHttp(journal, 'writes beside it', branch), callByHttp(journal, 'reads its parent', parent)]
  const sockets = [
    await callByWebSocket(journal, 'listens beside it', branch),
    await callByWebSocket(journal, 'listens to its parent', parent),
  ]
  for (const { ask } of sockets) await ask('eth_subscribe', 'newHeads')
  const running = (async () => {
    for (let value = 1; !journal.isOver; value++) {
      const [writes, reads] = clients
      await writes?.ask('dev_setBalance', holder, String(value))
      await reads?.ask('eth_getBalance', holder, 'latest')
      for (const { ask } of sockets) await ask('eth_blockNumber')
      await sleep(pauseMs)
    }
  })()
  // Reported when it stops.
  running.catch(() => {})
  return {
    /** Throws if a request failed or took too long, or a connection was closed. Returns the longest wait, in milliseconds. */
    async stop(): Promise<number> {
      journal.isOver = true
      await running
      if (sockets.some((socket) => socket.isClosed())) throw new Error('a WebSocket of somebody else was closed')
      for (const { leave } of sockets) leave()
      const longest = Math.max(...journal.entries.map(({ sentAt, endedAt }) => endedAt - sentAt))
      if (longest > waitLimitMs) throw new Error(`somebody else waited ${Math.round(longest)} ms`)
      return longest
    },
  }
}
