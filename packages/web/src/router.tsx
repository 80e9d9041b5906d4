import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { FailedPage, MissingPage } from './features/shell/components/Shell.tsx'
import { listPath, networkPath } from './location/networkUrl.ts'
import { NetworkPage } from './routes/NetworkPage.tsx'
import { RootPage } from './routes/RootPage.tsx'

const root = createRootRoute({ component: RootPage, notFoundComponent: MissingPage })

const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))

type AddressSearch = {
  tab?: string
  /** Of a tab: calls, transfers or events; variables, slots or the editor. */
  view?: string
  fn?: string
  ids?: string
  period?: string
  /** Of calls. */
  outcome?: string
  /** In the storage. */
  path?: string
  /** Of the sources. */
  file?: string
}

/** Tabs that links of earlier versions name. */
const formerTabs: Record<string, Pick<AddressSearch, 'tab' | 'view'>> = {
  calls: { tab: 'transactions', view: 'calls' },
  transfers: { tab: 'transactions', view: 'transfers' },
  events: { tab: 'transactions', view: 'events' },
  methods: { tab: 'transactions', view: 'methods' },
  storage: { tab: 'state' },
  tracked: { tab: 'tracking' },
  overrides: { tab: 'tracking' },
  history: { tab: 'code' },
  source: { tab: 'code' },
}

function addressSearch(search: Record<string, unknown>): AddressSearch {
  const { tab, view, fn, ids, period, outcome, path, file } = search
  return {
    tab: text(tab),
    view: text(view),
    fn: text(fn),
    ids: text(ids),
    period: text(period),
    outcome: text(outcome),
    path: text(path),
    file: text(file),
    ...formerTabs[text(tab) ?? ''],
  }
}

type TrackedSearch = {
  /** Of the items that are charted, separated by commas. */
  ids?: string
  period?: string
  tag?: string
  /** With `fn` and `args`: what a new item is filled in with. */
  address?: string
  fn?: string
  args?: string
}

const network = createRoute({ getParentRoute: () => root, path: '/', component: NetworkPage })
const blocks = createRoute({
  getParentRoute: () => root,
  path: '/blocks',
  component: lazyRouteComponent(() => import('./routes/BlocksPage.tsx'), 'BlocksPage'),
})
const transactions = createRoute({
  getParentRoute: () => root,
  path: '/transactions',
  validateSearch: ({ address: at, status }: Record<string, unknown>): { address?: string; status?: string } => ({
    address: text(at),
    status: text(status),
  }),
  component: lazyRouteComponent(() => import('./routes/TransactionsPage.tsx'), 'TransactionsPage'),
})
const block = createRoute({
  getParentRoute: () => root,
  path: '/block/$id',
  component: lazyRouteComponent(() => import('./routes/BlockPage.tsx'), 'BlockPage'),
})
const transaction = createRoute({
  getParentRoute: () => root,
  path: '/tx/$hash',
  validateSearch: ({ tab, with: other }: Record<string, unknown>): { tab?: string; with?: string } => ({
    tab: text(tab),
    with: text(other),
  }),
  component: lazyRouteComponent(() => import('./routes/TransactionPage.tsx'), 'TransactionPage'),
})
const address = createRoute({
  getParentRoute: () => root,
  path: '/address/$address',
  validateSearch: addressSearch,
  component: lazyRouteComponent(() => import('./routes/AddressPage.tsx'), 'AddressPage'),
})
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q }: Record<string, unknown>): { q: string } => ({ q: text(q) ?? '' }),
  component: lazyRouteComponent(() => import('./routes/SearchPage.tsx'), 'SearchPage'),
})
const workspaces = createRoute({
  getParentRoute: () => root,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./routes/WorkspacesPage.tsx'), 'WorkspacesPage'),
})
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/workspace/$id',
  validateSearch: addressSearch,
  component: lazyRouteComponent(() => import('./routes/WorkspacePage.tsx'), 'WorkspacePage'),
})
const tracked = createRoute({
  getParentRoute: () => root,
  path: '/tracked',
  validateSearch: ({ ids, period, tag, address: at, fn, args }: Record<string, unknown>): TrackedSearch => ({
    ids: text(ids),
    period: text(period),
    tag: text(tag),
    address: text(at),
    fn: text(fn),
    args: text(args),
  }),
  component: lazyRouteComponent(() => import('./routes/TrackedPage.tsx'), 'TrackedPage'),
})
const overrides = createRoute({
  getParentRoute: () => root,
  path: '/overrides',
  validateSearch: ({ contract, abi }: Record<string, unknown>): { contract?: string; abi?: string } => ({
    contract: text(contract),
    abi: text(abi),
  }),
  component: lazyRouteComponent(() => import('./routes/OverridesPage.tsx'), 'OverridesPage'),
})
const simulate = createRoute({
  getParentRoute: () => root,
  path: '/simulate',
  validateSearch: ({ s, tx }: Record<string, unknown>): { s?: string; tx?: string } => ({ s: text(s), tx: text(tx) }),
  component: lazyRouteComponent(() => import('./routes/SimulatePage.tsx'), 'SimulatePage'),
})
const simulation = createRoute({
  getParentRoute: () => root,
  path: '/simulation/$id',
  component: lazyRouteComponent(() => import('./routes/SimulationPage.tsx'), 'SimulationPage'),
})
const snapshots = createRoute({
  getParentRoute: () => root,
  path: '/snapshots',
  component: lazyRouteComponent(() => import('./routes/SnapshotsPage.tsx'), 'SnapshotsPage'),
})
const shadow = createRoute({
  getParentRoute: () => root,
  path: '/shadow',
  component: lazyRouteComponent(() => import('./routes/ShadowPage.tsx'), 'ShadowPage'),
})
const forecast = createRoute({
  getParentRoute: () => root,
  path: '/forecast',
  component: lazyRouteComponent(() => import('./routes/ForecastPage.tsx'), 'ForecastPage'),
})
const imports = createRoute({
  getParentRoute: () => root,
  path: '/import',
  component: lazyRouteComponent(() => import('./routes/ImportPage.tsx'), 'ImportPage'),
})
const log = createRoute({
  getParentRoute: () => root,
  path: '/log',
  validateSearch: ({ method }: Record<string, unknown>): { method?: string } => ({ method: text(method) }),
  component: lazyRouteComponent(() => import('./routes/LogPage.tsx'), 'LogPage'),
})
const wallet = createRoute({
  getParentRoute: () => root,
  path: '/wallet',
  component: lazyRouteComponent(() => import('./routes/WalletPage.tsx'), 'WalletPage'),
})
const networks = createRoute({
  getParentRoute: () => root,
  path: listPath,
  component: lazyRouteComponent(() => import('./routes/NetworksPage.tsx'), 'NetworksPage'),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./routes/SettingsPage.tsx'), 'SettingsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    network,
    blocks,
    transactions,
    block,
    transaction,
    address,
    search,
    workspaces,
    workspace,
    tracked,
    overrides,
    simulate,
    simulation,
    snapshots,
    shadow,
    forecast,
    imports,
    log,
    wallet,
    networks,
    settings,
  ]),
  basepath: networkPath || '/',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: FailedPage,
  // Identifiers stay as they are in the address: no quotes around what looks like a number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
    return query ? `?${query}` : ''
  },
})

/** Fetches every page, so that each one opens while the network is stopped. */
export async function fetchPages(): Promise<void> {
  for (const { options } of Object.values(router.routesById)) await options.component?.preload?.()
}

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
  interface Register {
    router: typeof router
  }
}
