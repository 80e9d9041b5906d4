import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

type Props<T> = {
  items: readonly T[]
  /** The estimated height of a row, in pixels. */
  rowHeight: number
  keyOf: (item: T) => string
  /** Called when the end comes into view. */
  onEnd?: () => void
  label: string
  /** Whether a line divides the rows. */
  divided?: boolean
  children: (item: T, index: number) => ReactNode
}

/** A list that scrolls with the page and renders only the visible rows. */
export function VirtualList<T>({ items, rowHeight, keyOf, onEnd, label, divided = true, children }: Props<T>) {
  const ref = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (ref.current) setTop(ref.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => keyOf(items[index] as T),
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  useLayoutEffect(() => {
    if (last >= items.length - 5) onEnd?.()
  }, [last, items.length, onEnd])
  return (
    <ul ref={ref} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {rows.map(({ index, key, start }) => (
        <li
          key={key}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          data-index={index}
          ref={virtualizer.measureElement}
          className={`absolute inset-x-0 top-0 ${divided ? 'border-line border-b' : ''}`}
          style={{ transform: `translateY(${start - top}px)` }}
        >
          {children(items[index] as T, index)}
        </li>
      ))}
    </ul>
  )
}
