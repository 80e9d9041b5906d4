/** A part of a whole as a bar. */
export function Meter({ value, max, label }: { value: number; max: number; label: string }) {
  const share = max > 0 ? Math.min(1, value / max) : 0
  return (
    <div title={label} className="h-1 w-full min-w-10 overflow-hidden rounded-full bg-raised">
      <span className="sr-only">{label}</span>
      <div
        className="h-full rounded-full bg-accent"
        style={{ width: `${Math.max(share * 100, value > 0 ? 2 : 0)}%` }}
      />
    </div>
  )
}
