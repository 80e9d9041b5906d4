import { useHealth } from '../../../lib/chain/health.ts'

/** A problem between this page and the network, or between the network and the live chain. */
export function ConnectionBanner() {
  const { state } = useHealth()
  if (state === 'offline')
    return (
      <Banner tone="bg-bad-wash text-bad">
        The network is not responding. Check that it is running. The data on this page may be out of date. Reconnecting…
      </Banner>
    )
  if (state === 'live chain away')
    return (
      <Banner tone="bg-warn-wash text-warn">
        Detached from the live chain: it is not responding. Known state is still available; requests for other state are
        refused until it responds.
      </Banner>
    )
  if (state === 'other live chain')
    return (
      <Banner tone="bg-warn-wash text-warn">
        Detached from the live chain: another chain responds at its URL, and is not used. Known state is still
        available; requests for other state are refused.
      </Banner>
    )
  return null
}

function Banner({ tone, children }: { tone: string; children: React.ReactNode }) {
  return (
    <div role="alert" className={`px-4 py-2 text-sm ${tone}`}>
      {children}
    </div>
  )
}
