import { formatAbiItem } from 'viem/utils'
import { formatCount } from '../../../format/amount.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Overview } from '../api/workspaces.ts'

/** The ABI of a contract, or the selectors in its code. */
export function AbiView({ contract }: { contract: Overview['contract'] }) {
  if (!contract)
    return (
      <Panel>
        <Empty title="This address has no code" />
      </Panel>
    )
  const { abi, selectors } = contract
  if (abi.length === 0)
    return (
      <Panel title="Selectors" note="Read from the bytecode. The ABI is unknown.">
        <p className="hex flex flex-wrap gap-2 p-3 text-xs">{selectors.join(' ') || 'None'}</p>
      </Panel>
    )
  const lines = abi.map((item) =>
    item.type === 'receive' || item.type === 'fallback' ? item.type : declarationOf(item),
  )
  return (
    <Panel
      title="ABI"
      note={formatCount(abi.length, 'entry', 'entries')}
      actions={<CopyButton text={JSON.stringify(abi, null, 2)} what="ABI as JSON" />}
    >
      <ul className="hex space-y-0.5 overflow-x-auto p-3 text-xs">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Panel>
  )
}

function declarationOf(
  item: Overview['contract'] extends infer C ? (C extends { abi: readonly (infer I)[] } ? I : never) : never,
): string {
  if (item.type === 'constructor' || item.type === 'receive' || item.type === 'fallback') return item.type
  return `${item.type} ${formatAbiItem(item, { includeName: true })}`
}
