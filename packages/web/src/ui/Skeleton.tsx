/** Placeholder rows while data loads. */
export function Skeleton({ rows = 3, what }: { rows?: number; what: string }) {
  return (
    <div role="status" className="space-y-2 p-3">
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
          key={row}
          className="breathes h-4 rounded bg-raised"
          style={{ width: `${92 - ((row * 17) % 40)}%` }}
        />
      ))}
      <span className="sr-only">Loading {what}…</span>
    </div>
  )
}
