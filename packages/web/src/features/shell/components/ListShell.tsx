import { Outlet } from '@tanstack/react-router'
import { KeyForm } from '../../../components/KeyForm.tsx'
import { isUnauthorised } from '../../../errors/rpcError.ts'
import { useRole } from '../../../lib/chain/role.ts'
import { RoleProvider } from '../../../ui/role.ts'
import { ThemeButton } from './ThemeButton.tsx'
import { Toasts } from './Toasts.tsx'

/** The frame around the list of networks, which belongs to none of them. */
export function ListShell() {
  const { data: access, error } = useRole()
  return (
    <div className="min-h-dvh">
      <header className="flex h-12 items-center gap-2 border-line border-b bg-panel px-3 font-semibold tracking-tight sm:px-4">
        <img src="/icon.svg" alt="" width={22} height={22} />
        Understudy
        <span className="ml-auto">
          <ThemeButton />
        </span>
      </header>
      <main className="mx-auto max-w-5xl space-y-4 p-3 sm:p-4">
        <RoleProvider value={access?.role ?? 'read'}>
          {isUnauthorised(error) ? <KeyForm title="This server requires an API key" /> : <Outlet />}
        </RoleProvider>
      </main>
      <Toasts />
    </div>
  )
}
