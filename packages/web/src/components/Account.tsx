import { Link } from '@tanstack/react-router'
import type { Address } from 'viem'
import { checksummed, shorten } from '../format/hash.ts'
import { useName } from '../lib/names/names.ts'
import { CopyButton } from '../ui/CopyButton.tsx'

type Props = {
  address: Address
  /** The full address beside its name. */
  full?: boolean
  copy?: boolean
  /** The address only, where the name is shown already. */
  nameless?: boolean
  /** Its name where the network knows none. */
  otherwise?: string | null | undefined
  className?: string
}

/** An address as a link, with its name if it has one. */
export function Account({ address, full = false, copy = false, nameless = false, otherwise, className = '' }: Props) {
  const known = useName(address) ?? otherwise ?? undefined
  const name = nameless ? undefined : known
  const whole = checksummed(address)
  return (
    <span className={`inline-flex min-w-0 max-w-full items-center gap-1 ${className}`}>
      <Link
        to="/address/$address"
        params={{ address: whole }}
        title={name ? `${name}\n${whole}` : whole}
        className="min-w-0 truncate rounded text-accent leading-6 hover:underline"
      >
        {name && <span className="font-medium">{name}</span>}
        {name && full && <span className="text-soft"> · </span>}
        {(full || !name) && <span className="hex">{full ? whole : shorten(whole)}</span>}
      </Link>
      {copy && <CopyButton text={whole} what="address" />}
    </span>
  )
}
