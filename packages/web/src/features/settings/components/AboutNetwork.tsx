import { formatDateTime } from '../../../format/time.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

export function AboutNetwork() {
  const query = useNetworkInfo()
  return (
    <Panel title="About this network">
      <Loaded query={query} what="network" rows={5}>
        {({ version, chainId, upstream, dataDirectory, startedAt, node }) => (
          <Facts
            rows={[
              [
                'JSON-RPC',
                <span key="url" className="hex">
                  {networkUrl} <CopyButton text={networkUrl} what="URL" />
                </span>,
              ],
              ['Chain ID', String(chainId)],
              upstream && [
                'Fork of',
                <span key="fork" className="hex break-all">{`chain ${upstream.chainId}, ${upstream.url}`}</span>,
              ],
              dataDirectory !== null && [
                'Data directory',
                <span key="data" className="hex break-all">
                  {dataDirectory}
                </span>,
              ],
              node && ['Node', `${node.id}, ${node.role}`],
              node !== null && node.sealer !== null && ['Sealer', node.sealer],
              ['Started', formatDateTime(Date.parse(startedAt))],
              ['Version', version],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
