import { useState } from 'react'
import { Icon } from './Icon.tsx'

export function CopyButton({ text, what = '' }: { text: string; what?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1200)
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      className="inline-flex shrink-0 rounded p-0.5 align-middle text-soft hover:bg-raised hover:text-ink"
    >
      <Icon name={copied ? 'check' : 'copy'} size={13} />
    </button>
  )
}
