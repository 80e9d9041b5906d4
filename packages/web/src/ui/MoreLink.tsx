import { Link } from '@tanstack/react-router'

/** From a panel that shows a part to the page that shows all. */
export function MoreLink({ to, children }: { to: '/blocks' | '/transactions' | '/overrides'; children: string }) {
  return (
    <Link to={to} className="rounded text-accent text-xs hover:underline">
      {children}
    </Link>
  )
}
