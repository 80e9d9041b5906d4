import { shorten } from '../../../format/hash.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type FidelityReport, useCheckFidelity } from '../api/fidelity.ts'

const shown = 6

/** Whether transactions of the live chain come out here as there. */
export function Fidelity() {
  const { data: info } = useNetworkInfo()
  const check = useCheckFidelity()
  if (!info?.upstream) return null
  const last = check.data ?? info.fidelity
  const passed = check.data?.passed ?? []
  return (
    <Panel
      title="Fidelity"
      note="Live-chain transactions, run here"
      actions={
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          Check
        </Button>
      }
    >
      {last ? (
        <>
          <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-sm">
            <Badge tone={last.transactionsAgree === last.transactions ? 'good' : 'warn'}>
              {last.transactionsAgree} of {last.transactions}
            </Badge>
            <span>have the same result by the rules of {last.hardfork}</span>
            <span className="ml-auto text-soft text-xs">
              <Age at={Date.parse(last.checkedAt)} />
            </span>
          </p>
          {passed.length > 0 && (
            <p className="px-3 pb-2 text-soft text-xs">
              Not run here: {passed.map(({ type, transactions }) => `${transactions} of type ${type}`).join(', ')}
            </p>
          )}
          {last.stopped !== null && <p className="px-3 pb-2 text-warn text-xs">Ended early: {last.stopped}</p>}
          {check.data && <Differences report={check.data} />}
        </>
      ) : (
        <Empty title="Not checked yet">
          A check runs the latest transactions of the live chain here and compares the results.
        </Empty>
      )}
    </Panel>
  )
}

function Differences({ report: { differences } }: { report: FidelityReport }) {
  if (differences.length === 0) return null
  return (
    <ul className="divide-y divide-line border-line border-t">
      {differences.slice(0, shown).map(({ block, transaction, field, here, upstream, cause, explanation }) => (
        <li key={`${block}${transaction}${field}`} className="space-y-0.5 px-3 py-2 text-xs">
          <p className="flex items-center gap-2">
            <span className="hex" title={transaction ?? undefined}>
              {transaction ? shorten(transaction) : `block ${block}`}
            </span>
            <Badge tone="warn">{cause}</Badge>
          </p>
          <p className="break-words text-soft">
            {field}: {here} here, {upstream} there
          </p>
          <p className="break-words">{explanation}</p>
        </li>
      ))}
      {differences.length > shown && (
        <li className="px-3 py-1.5 text-soft text-xs">and {differences.length - shown} more</li>
      )}
    </ul>
  )
}
