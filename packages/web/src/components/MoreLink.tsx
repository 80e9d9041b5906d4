import { Link } from '@tanstack/react-router'

/** A link from a panel to the page with the full list. */
export function MoreLink({ to, children }: { to: '/blocks' | '/transactions' | '/overrides'; children: string }) {
  return (
    <Link to={to} className="rounded text-accent text-xs hover:underline">
      {children}
    </Link>
  )
}
