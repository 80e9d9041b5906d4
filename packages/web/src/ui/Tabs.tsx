import { type ReactNode, useEffect, useRef } from 'react'

type Props<Id extends string> = {
  tabs: readonly { id: Id; name: ReactNode; count?: number }[]
  chosen: Id
  onChoose: (id: Id) => void
  label: string
}

/** Tabs. The arrow keys move between them. */
export function Tabs<Id extends string>({ tabs, chosen, onChoose, label }: Props<Id>) {
  const move = (step: number) => {
    const index = tabs.findIndex(({ id }) => id === chosen)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (next) onChoose(next.id)
  }
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls the selected tab into view when it changes
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!list.current || !tab) return
    const { clientWidth } = list.current
    if (tab.offsetLeft + tab.offsetWidth > clientWidth) list.current.scrollLeft = tab.offsetLeft - clientWidth / 3
  }, [chosen])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className="relative flex gap-1 overflow-x-auto border-line border-b"
    >
      {tabs.map(({ id, name, count }) => {
        const isChosen = id === chosen
        return (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={isChosen}
            tabIndex={isChosen ? 0 : -1}
            ref={(element) => {
              if (isChosen && element?.parentElement?.contains(document.activeElement)) element.focus()
            }}
            onClick={() => onChoose(id)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(1)
              if (event.key === 'ArrowLeft') move(-1)
            }}
            className={`-mb-px whitespace-nowrap border-b-2 px-2.5 py-1.5 text-sm ${isChosen ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink'}`}
          >
            {name}
            {count !== undefined && <span className="number ml-1.5 text-soft text-xs">{count}</span>}
          </button>
        )
      })}
    </div>
  )
}
