import { Link } from '@tanstack/react-router'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { isUnauthorised } from '../../../lib/rpc/rpcError.ts'
import { useConnection } from '../../../lib/rpc/useConnection.ts'

/** What is wrong between this page and the network, or between the network and the live chain. */
export function ConnectionBanner() {
  const connection = useConnection()
  const { data: info, error } = useNetworkInfo()
  if (isUnauthorised(error))
    return (
      <Banner tone="bg-warn-wash text-warn">
        This network asks for a key, and none or a wrong one was given.{' '}
        <Link to="/settings" className="font-medium underline">
          Enter a key
        </Link>
      </Banner>
    )
  if (connection === 'offline')
    return (
      <Banner tone="bg-bad-wash text-bad">
        The network does not answer. Check that it still runs; what you see may be old. Trying again…
      </Banner>
    )
  if (info?.upstream && !info.upstream.reachable)
    return (
      <Banner tone="bg-warn-wash text-warn">
        The live chain does not answer. What was read of it before is served; anything else waits until it is back.
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
