import { Account } from '../../../components/Account.tsx'
import { formatCount } from '../../../format/amount.ts'
import { useWatchItem } from '../../../lib/watch/watches.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { type TrackedItem, useRemoveTracked } from '../api/tracked.ts'
import { readableValue, useUnits } from '../api/units.ts'

type Props = { item: TrackedItem; isCharted: boolean; onToggle: () => void; onEdit: () => void }

export function TrackedRow({ item, isCharted, onToggle, onEdit }: Props) {
  const { name, address, tags, latestValue, lastError } = item
  const [unit = { symbol: '', decimals: 0 }] = useUnits([item])
  const remove = useRemoveTracked()
  const [isWatched, toggleWatch] = useWatchItem(item)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <label className="flex min-w-0 items-center gap-2">
        <input type="checkbox" checked={isCharted} onChange={onToggle} aria-label={`Chart ${name}`} />
        <span className="truncate font-medium">{name}</span>
      </label>
      <Account address={address} className="text-xs" />
      <Badge>{descriptionOf(item)}</Badge>
      {tags.map((tag) => (
        <Badge key={tag} tone="accent">
          {tag}
        </Badge>
      ))}
      {lastError && (
        <Badge tone="bad" title={lastError}>
          error: {lastError}
        </Badge>
      )}
      <span className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {latestValue ? (
          <>
            <span className="number max-w-64 truncate font-medium" title={latestValue.value}>
              {readableValue(latestValue.value, unit)}
            </span>
            <span className="text-xs">
              <Age at={Date.parse(latestValue.timestamp)} />
            </span>
          </>
        ) : (
          <span className="text-soft text-xs">Recorded from the next block</span>
        )}
        <Button
          aria-pressed={isWatched}
          aria-label={`Notify when ${name} changes`}
          title="Shows a notification in this browser when the value changes"
          onClick={toggleWatch}
        >
          {isWatched ? 'Notifying' : 'Notify'}
        </Button>
        <Button needs="admin" onClick={onEdit}>
          Edit
        </Button>
        <ConfirmButton
          tone="danger"
          title={`Remove ${name}?`}
          explanation="Its recorded history is deleted with it. This cannot be undone."
          busy={remove.isPending}
          onConfirm={() => remove.mutate(item.id)}
        >
          Remove
        </ConfirmButton>
      </span>
    </li>
  )
}

function descriptionOf({
  type,
  functionAbi,
  functionOutputPath,
  recordTrigger,
  trackingFrequency,
}: TrackedItem): string {
  const what = {
    'native-token-balance': 'balance',
    'erc20-balance': 'token balance',
    'storage-variable': 'slot',
    'function-result': `${
      /function (\w+)|"name":"(\w+)"/
        .exec(functionAbi ?? '')
        ?.slice(1)
        .find(Boolean) ?? 'function'
    }${functionOutputPath ? ` → ${functionOutputPath}` : ''}`,
  }[type]
  const when = {
    'every-tx': '',
    'every-n-blocks': `, every ${formatCount(trackingFrequency ?? 0, 'block')}`,
    cron: `, every ${trackingFrequency} s`,
  }[recordTrigger]
  return what + when
}
