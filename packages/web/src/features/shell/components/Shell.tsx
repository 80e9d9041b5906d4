import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { AddressBook } from '../../../components/AddressBook.tsx'
import { KeyForm } from '../../../components/KeyForm.tsx'
import { describeError } from '../../../errors/rpcError.ts'
import { shorten } from '../../../format/hash.ts'
import { useHealth } from '../../../lib/chain/health.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { useRole } from '../../../lib/chain/role.ts'
import { useIsTourOpen } from '../../../lib/tour/tour.ts'
import { useConnected } from '../../../lib/wallet/connected.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CurrencyProvider } from '../../../ui/currency.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Modal } from '../../../ui/Modal.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { RoleProvider } from '../../../ui/role.ts'
import { useWatcher } from '../api/watcher.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { HeadTicker } from './HeadTicker.tsx'
import { Navigation } from './Navigation.tsx'
import { ThemeButton } from './ThemeButton.tsx'
import { Toasts } from './Toasts.tsx'
import { Tour } from './Tour.tsx'

/** The frame around every page. */
export function Shell({ search }: { search: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { pathname } = useLocation()
  useWatcher()
  const { data: info } = useNetworkInfo()
  const { state } = useHealth()
  const isTourOpen = useIsTourOpen()
  const { data: access, isError: isRoleUnknown } = useRole()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(() => setMenuOpen(false), [pathname])
  return (
    <div className="min-h-dvh lg:pl-52">
      <a
        href="#content"
        className="-translate-y-20 fixed top-2 left-2 z-50 rounded bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-52 border-line border-r bg-panel lg:block">
        <Navigation />
      </aside>
      {isMenuOpen && (
        <Modal label="Menu" onClose={() => setMenuOpen(false)} className="m-0 h-dvh max-h-none w-60 border-r lg:hidden">
          {() => <Navigation />}
        </Modal>
      )}
      <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-line border-b bg-panel px-3 sm:px-4">
        <button
          type="button"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          className="rounded p-1.5 text-soft hover:bg-raised lg:hidden"
          onClick={() => setMenuOpen(true)}
        >
          <Icon name="menu" size={18} />
        </button>
        {search}
        <div className="ml-auto flex items-center gap-1.5">
          {access?.key && (
            <Badge tone={access.role === 'admin' ? 'accent' : 'neutral'} title={`API key ${access.key}`}>
              {roleNames[access.role]}
            </Badge>
          )}
          <WalletBadge />
          <HeadTicker />
          <ThemeButton />
        </div>
      </header>
      <ConnectionBanner />
      {/* It would hide the answers to a page that waits for one. */}
      {isTourOpen && state !== 'key required' && pathname !== '/wallet' && <Tour />}
      <main id="content" className="mx-auto max-w-[104rem] space-y-4 p-3 sm:p-4">
        <CurrencyProvider value={info?.chain.currency.symbol ?? 'ETH'}>
          <RoleProvider value={access?.role ?? (isRoleUnknown ? 'admin' : 'read')}>
            {state === 'key required' ? <SignIn /> : <Outlet />}
          </RoleProvider>
        </CurrencyProvider>
      </main>
      <Toasts />
      <AddressBook />
    </div>
  )
}

/** The account that signs. */
function WalletBadge() {
  const connected = useConnected()
  if (!connected) return null
  return (
    <Link
      to="/settings"
      title={`${connected.wallet.name} signs for ${connected.account}`}
      className="hex hidden h-7 items-center gap-1.5 rounded-md px-2 text-xs hover:bg-raised sm:flex"
    >
      <Icon name="wallet" size={14} />
      <span className="sr-only">{connected.wallet.name} </span>
      {shorten(connected.account)}
    </Link>
  )
}

const roleNames = { read: 'read only', write: 'may send', admin: 'admin' }

/** Shown instead of every page, which could only show refusals. */
function SignIn() {
  return (
    <div className="mx-auto max-w-lg pt-8">
      <KeyForm title="This network requires an API key" />
    </div>
  )
}

export function MissingPage() {
  return (
    <>
      <PageTitle tab="Page not found" title="Page not found" />
      <Panel>
        <Empty title="Nothing is at this address">
          <Link to="/" className="text-accent underline">
            Go to the network page
          </Link>
        </Empty>
      </Panel>
    </>
  )
}

/** Shown instead of a page that failed to render. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { title, advice } = describeError(error)
  return (
    <Panel padded title="This page failed to load">
      <p className="text-bad">{title}</p>
      <p className="mt-1 text-soft">{advice ?? 'Try again, or reload the page.'}</p>
      <Button className="mt-3" onClick={reset}>
        Try again
      </Button>
    </Panel>
  )
}
