import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { Icon } from '../../../ui/Icon.tsx'

/** Finds anything by hash, address, number or name. `/` or Ctrl-K moves the focus to it from any page. */
export function SearchBox() {
  const ref = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
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
    const q = ref.current?.value.trim()
    if (!q) return
    void navigate({ to: '/search', search: { q } })
    if (ref.current) ref.current.value = ''
    ref.current?.blur()
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
          placeholder="Hash, address, block or name"
          spellCheck={false}
          autoComplete="off"
          className="h-8 w-full rounded-md border border-line bg-page pr-9 pl-8 text-sm placeholder:text-soft"
        />
        <kbd className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 hidden rounded border border-line bg-panel px-1.5 text-2xs text-soft sm:block">
          /
        </kbd>
      </search>
    </form>
  )
}
