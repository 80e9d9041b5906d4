import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent as KeyPress, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { type Named, useNamed } from '../api/names.ts'
import { rank } from '../api/rank.ts'
import { linkTo, titleOf } from './links.ts'

const suggestionLimit = 8

/** Finds anything by hash, address, number or name, with suggestions of names. `/` or Ctrl-K moves the focus to it from any page. */
export function SearchBox() {
  const ref = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const { data: named = [] } = useNamed(isOpen)
  const suggestions = isOpen ? rank(text, named, suggestionLimit) : []
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const isShortcut = (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping)
      if (!isShortcut) return
      event.preventDefault()
      ref.current?.select()
      ref.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const suggestion = suggestions[chosen]
    const q = text.trim()
    if (!suggestion && !q) return
    open(suggestion)
  }
  const open = (suggestion: Named | undefined) => {
    void navigate(suggestion ? linkTo(suggestion) : { to: '/search', search: { q: text.trim() } })
    setText('')
    setOpen(false)
    setChosen(-1)
    ref.current?.blur()
  }
  const onKeyDown = (event: KeyPress) => {
    if (event.key === 'Escape') setOpen(false)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || suggestions.length === 0) return
    event.preventDefault()
    setChosen(Math.max(-1, Math.min(suggestions.length - 1, chosen + step)))
  }
  return (
    <form onSubmit={submit} className="relative min-w-0 max-w-xl grow">
      <search>
        <span className="-translate-y-1/2 absolute top-1/2 left-2.5 text-soft">
          <Icon name="search" size={14} />
        </span>
        <input
          ref={ref}
          aria-label="Search by hash, address, block or name"
          role="combobox"
          aria-expanded={suggestions.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          value={text}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value)
            setOpen(true)
            setChosen(-1)
          }}
          placeholder="Hash, address, block or name"
          spellCheck={false}
          autoComplete="off"
          className="h-8 w-full rounded-md border border-line bg-page pr-9 pl-8 text-sm placeholder:text-soft"
        />
        <kbd className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 hidden rounded border border-line bg-panel px-1.5 text-2xs text-soft sm:block">
          /
        </kbd>
      </search>
      {suggestions.length > 0 && (
        <div
          id={id}
          role="listbox"
          aria-label="Suggestions"
          className="absolute top-9 right-0 left-0 z-30 overflow-hidden rounded-md border border-line bg-panel py-1 shadow-lg"
        >
          {suggestions.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            <div
              key={JSON.stringify(one)}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              // The field would lose the focus, and close the list, before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => open(one)}
              className={`flex h-8 cursor-pointer items-center gap-2 px-3 text-sm hover:bg-raised ${index === chosen ? 'bg-raised' : ''}`}
            >
              <Badge>{one.kind}</Badge>
              <span className="truncate">{titleOf(one)}</span>
            </div>
          ))}
        </div>
      )}
    </form>
  )
}
