import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { formatDateTime } from '../../../lib/format/time.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

export function AboutNetwork() {
  const query = useNetworkInfo()
  const url = window.location.origin
  return (
    <Panel title="This network">
      <Loaded query={query} what="the network" rows={5}>
        {({ version, chainId, upstream, dataDirectory, startedAt, node }) => (
          <Facts
            rows={[
              [
                'JSON-RPC',
                <span key="url" className="hex">
                  {url} <CopyButton text={url} what="the address" />
                </span>,
              ],
              ['Chain id', String(chainId)],
              upstream && [
                'Forks',
                <span key="fork" className="hex break-all">{`chain ${upstream.chainId} at ${upstream.url}`}</span>,
              ],
              dataDirectory !== null && [
                'Data',
                <span key="data" className="hex break-all">
                  {dataDirectory}
                </span>,
              ],
              node && ['Node', `${node.id}, ${node.role}`],
              node !== null && node.sealer !== null && ['Sealed by', node.sealer],
              ['Started', formatDateTime(Date.parse(startedAt))],
              ['Version', version],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
