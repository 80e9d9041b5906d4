import { useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Divergence, useDivergences } from '../api/shadow.ts'
import { DivergenceSides } from './DivergenceSides.tsx'
import { ExportDivergences } from './ExportDivergences.tsx'

/** The transactions that came out otherwise, each with both sides. */
export function Divergences() {
  const [hidesCascades, setHidden] = useState(false)
  const query = useDivergences(hidesCascades ? false : undefined)
  return (
    <PagedList
      title="Divergences"
      query={query}
      keyOf={({ hash }) => hash}
      empty="No divergences"
      actions={
        <>
          <Button aria-pressed={hidesCascades} onClick={() => setHidden(!hidesCascades)}>
            {hidesCascades ? 'Show cascades' : 'Hide cascades'}
          </Button>
          <ExportDivergences />
        </>
      }
    >
      {(found) => <Row found={found} />}
    </PagedList>
  )
}

function Row({ found }: { found: Divergence }) {
  const [isOpen, setOpen] = useState(false)
  const { hash, block, kind, isCascade, to, contract, function: signature, unexpected } = found
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <TransactionLink hash={hash} />
        <BlockLink number={block} />
        <span className="min-w-0 max-w-full truncate text-soft text-xs" title={signature ?? undefined}>
          {contract ?? (to && <Account address={to} />)} {signature?.split('(')[0]}
        </span>
        <Badge tone={kind === 'unreproducible' ? 'neutral' : 'bad'}>
          {kind === 'diverged' ? unexpected.join(', ') : kind}
        </Badge>
        {isCascade && <Badge title="Caused by an earlier divergence">cascade</Badge>}
        <span className="ml-auto">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Compare'}
          </Button>
        </span>
      </div>
      {isOpen && <DivergenceSides found={found} />}
    </div>
  )
}
