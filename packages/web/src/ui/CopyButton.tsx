import { useState } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1200)
  }
  return { copied, copy: () => void copy() }
}

/** A button with a text that says what is copied. */
export function CopyTextButton({ text, children }: { text: string; children: string }) {
  const { copied, copy } = useCopy(text)
  return <Button onClick={copy}>{copied ? 'Copied' : children}</Button>
}

export function CopyButton({ text, what = '' }: { text: string; what?: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      className="inline-grid size-6 shrink-0 place-items-center rounded align-middle text-soft hover:bg-raised hover:text-ink"
    >
      <Icon name={copied ? 'check' : 'copy'} size={13} />
    </button>
  )
}
