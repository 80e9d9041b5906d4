import { Link } from '@tanstack/react-router'
import { isUnauthorised } from '../../../errors/rpcError.ts'
import { useConnection } from '../../../lib/chain/connection.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'

/** A problem between this page and the network, or between the network and the live chain. */
export function ConnectionBanner() {
  const connection = useConnection()
  const { data: info, error } = useNetworkInfo()
  if (isUnauthorised(error))
    return (
      <Banner tone="bg-warn-wash text-warn">
        This network requires a valid API key.{' '}
        <Link to="/settings" className="font-medium underline">
          Enter API key
        </Link>
      </Banner>
    )
  if (connection === 'offline')
    return (
      <Banner tone="bg-bad-wash text-bad">
        The network is not responding. Check that it is running. The data on this page may be out of date. Reconnecting…
      </Banner>
    )
  if (info?.upstream && !info.upstream.reachable)
    return (
      <Banner tone="bg-warn-wash text-warn">
        The live chain is not responding. Cached state is still available; other requests wait until it responds.
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
