import { useEffect, useRef } from 'react'
import type { Hex } from 'viem'
import { shorten } from '../../../format/hash.ts'
import { listedLabel } from '../../../lib/abi/selectors.ts'
import { useAddressBook } from '../../../lib/names/names.ts'
import { live } from '../../../lib/rpc/live.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { notify } from '../../../lib/watch/notices.ts'
import { watchStore } from '../../../lib/watch/watches.ts'

/** The transactions of watched accounts are looked for once in this time, at most. */
const shortestGapMs = 1000
/** Transactions that are looked through at a time: the newest ones. */
const transactionLimit = 100

/** Notices what is watched, while the page is open. */
export function useWatcher(): void {
  const named = useAddressBook()
  const names = useRef(named)
  names.current = named
  useEffect(() => {
    const nameOf = (address: string) =>
      names.current.find(([one]) => one === address.toLowerCase())?.[1] ?? shorten(address)
    const ends = [watchTransactions(nameOf), watchItems(), watchOutages()]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}

function watchTransactions(nameOf: (address: string) => string): () => void {
  /** The last block that was looked through; `undefined` while nothing is watched. */
  let seen: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const watched = new Set<string>(watchStore.get().accounts)
    if (watched.size === 0) {
      seen = undefined
      return
    }
    const head = Number(await rpc<Hex>('eth_blockNumber'))
    const from = seen ?? head
    // The first time, or after a revert.
    if (seen === undefined || head <= from) {
      seen = head
      return
    }
    const { items } = await rpc('dev_getTransactions', { fromBlock: from + 1, toBlock: head, limit: transactionLimit })
    seen = head
    for (const item of items.toReversed()) {
      if (![item.from, item.to].some((one) => one !== null && watched.has(one.toLowerCase()))) continue
      const failed = item.status === 'failed'
      const parties = `${nameOf(item.from)} → ${item.to ? nameOf(item.to) : 'new contract'}`
      notify({
        kind: 'transaction',
        tone: failed ? 'bad' : 'good',
        title: `Transaction ${failed ? 'reverted' : 'mined'}: ${listedLabel(item)}`,
        text: failed && item.revert?.reason ? `${parties}: ${item.revert.reason}` : parties,
        transaction: item.transactionHash,
      })
    }
  }
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      look().catch(() => {})
    }, shortestGapMs)
  }
  look().catch(() => {})
  const ends = [
    live.onChange((topic) => topic === 'newHeads' && schedule()),
    watchStore.subscribe(() => void look().catch(() => {})),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of ends) end()
  }
}

/** Without the live connection, the network does not send what it records. */
function watchItems(): () => void {
  const values = new Map<string, string>()
  return live.onChange((topic, result) => {
    if (topic !== 'dev_tracked' || result === undefined) return
    const { id, value } = result as { id: string; value: string }
    const item = watchStore.get().items.find((one) => one.id === id)
    const before = values.get(id)
    values.set(id, value)
    if (!item || before === undefined || before === value) return
    notify({
      kind: 'value',
      tone: 'good',
      title: `${item.name} changed`,
      text: `${clipped(before)} → ${clipped(value)}`,
    })
  })
}

const clipped = (value: string): string => (value.length > 60 ? `${value.slice(0, 60)}…` : value)

function watchOutages(): () => void {
  let wasAway = false
  return live.watch(() => {
    const isAway = live.connection === 'offline'
    if (isAway === wasAway || live.connection === 'connecting') return
    wasAway = isAway
    if (!watchStore.get().outages) return
    if (isAway)
      notify({ kind: 'network', tone: 'bad', title: 'The network stopped responding', text: window.location.host })
    else notify({ kind: 'network', tone: 'good', title: 'The network responds again', text: window.location.host })
  })
}
