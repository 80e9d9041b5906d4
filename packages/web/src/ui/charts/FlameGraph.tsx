import { type KeyboardEvent, useEffect, useRef } from 'react'

export type Flame = {
  /** The position of the one around it in the list, before its own. */
  parent: number | null
  label: string
  /** With those in it. */
  total: number
  /** A number by which it is coloured. */
  group: number
}

type Props = {
  label: string
  flames: readonly Flame[]
  chosen: number
  onChoose: (index: number) => void
  /** A value as text. */
  format: (value: number) => string
}

const tones = ['bg-wash', 'bg-frozen-wash', 'bg-warn-wash', 'bg-good-wash', 'bg-overridden-wash', 'bg-followed-wash']
const rowHeight = 26
/** Narrower ones, as a share of the width, cannot be seen. */
const leastShare = 0.002
/** Rows below the chosen one. */
const shownRows = 40

type Bar = { index: number; row: number; left: number; width: number }

/**
 * Parts of a whole, each above its own parts. The chosen one has the full width, like those around it. The arrow keys go to
 * the part above, the largest below, and those beside.
 */
export function FlameGraph({ label, flames, chosen, onChoose, format }: Props) {
  const tree = useRef<HTMLDivElement>(null)
  const children = childrenOf(flames)
  const bars = barsOf(flames, children, chosen)
  // The part that had the focus may be gone.
  const isMoving = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the choice
  useEffect(() => {
    if (isMoving.current) tree.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    isMoving.current = false
  }, [chosen])

  function move(event: KeyboardEvent) {
    const parent = flames[chosen]?.parent ?? null
    const beside = parent === null ? [chosen] : (children.get(parent) ?? [])
    const at = beside.indexOf(chosen)
    const next = {
      ArrowUp: parent,
      ArrowDown: children.get(chosen)?.[0],
      ArrowLeft: beside[at - 1],
      ArrowRight: beside[at + 1],
      Home: 0,
    }[event.key]
    if (next === undefined || next === null) return
    event.preventDefault()
    isMoving.current = true
    onChoose(next)
  }

  const rows = Math.max(...bars.map(({ row }) => row)) + 1
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      className="relative overflow-hidden"
      style={{ height: rows * rowHeight }}
    >
      {bars.map(({ index, row, left, width }) => {
        const flame = flames[index] as Flame
        const text = `${flame.label}, ${format(flame.total)}`
        const isAround = row < (bars.find((bar) => bar.index === chosen)?.row ?? 0)
        return (
          <button
            key={index}
            type="button"
            role="treeitem"
            aria-level={row + 1}
            aria-selected={index === chosen}
            aria-label={text}
            title={text}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => onChoose(index)}
            onKeyDown={move}
            className={`absolute truncate border border-panel px-1.5 text-left text-xs focus-visible:z-10 focus-visible:outline-offset-[-2px] ${tones[flame.group % tones.length]} ${isAround ? 'text-soft' : 'text-ink'} ${index === chosen ? 'font-semibold' : ''}`}
            style={{ top: row * rowHeight, height: rowHeight, left: `${left * 100}%`, width: `${width * 100}%` }}
          >
            {flame.label}
          </button>
        )
      })}
    </div>
  )
}

/** The parts of each one, the largest first. */
function childrenOf(flames: readonly Flame[]): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const [index, { parent }] of flames.entries()) {
    if (parent === null) continue
    const known = children.get(parent)
    if (known) known.push(index)
    else children.set(parent, [index])
  }
  for (const list of children.values()) list.sort((a, b) => (flames[b]?.total ?? 0) - (flames[a]?.total ?? 0))
  return children
}

function barsOf(flames: readonly Flame[], children: ReadonlyMap<number, number[]>, chosen: number): Bar[] {
  const around: number[] = []
  for (let at = flames[chosen]?.parent ?? null; at !== null; at = flames[at]?.parent ?? null) around.unshift(at)
  // Of a deep path, those next to the chosen one.
  const bars: Bar[] = around.slice(-8).map((index, row) => ({ index, row, left: 0, width: 1 }))
  const first = bars.length
  const open: Bar[] = [{ index: chosen, row: first, left: 0, width: 1 }]
  for (let bar = open.pop(); bar; bar = open.pop()) {
    bars.push(bar)
    const total = flames[bar.index]?.total ?? 0
    if (bar.row - first >= shownRows || total <= 0) continue
    let left = bar.left
    for (const index of children.get(bar.index) ?? []) {
      const width = (bar.width * (flames[index]?.total ?? 0)) / total
      if (width >= leastShare) open.push({ index, row: bar.row + 1, left, width })
      left += width
    }
  }
  return bars
}
