import { BlockRow } from '../../../components/BlockRow.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { useBlockRange } from '../api/range.ts'
import { RangeFrame } from './RangeFrame.tsx'

export function BlockList() {
  const range = useBlockRange()
  const blocks = range.blocks ?? []
  return (
    <RangeFrame range={range} what="Blocks" note={`${formatInteger(blocks.length)} loaded`}>
      <VirtualList items={blocks} rowHeight={37} keyOf={({ hash }) => hash} onEnd={range.more} label="Blocks">
        {(block) => <BlockRow block={block} />}
      </VirtualList>
    </RangeFrame>
  )
}
