import { relativePath } from './markdown.ts'

/** The pages of the site in their order, by their files in the repository. Those of methods are made of the code. */

export type Group = { title: string; pages: readonly string[] }

export const navigation: readonly Group[] = [
  {
    title: 'Tutorials',
    pages: [
      'docs/tutorials/change-a-price.md',
      'docs/tutorials/test-an-upgrade.md',
      'docs/tutorials/staging-network.md',
    ],
  },
  {
    title: 'Move from',
    pages: ['docs/tutorials/from-anvil.md', 'docs/tutorials/from-hardhat.md', 'docs/tutorials/from-tenderly.md'],
  },
  {
    title: 'Guides: develop',
    pages: [
      'docs/overrides-and-tracking.md',
      'docs/branches.md',
      'docs/testing.md',
      'docs/recordings.md',
      'docs/import.md',
      'docs/debugging.md',
      'docs/workspaces.md',
      'docs/shadow.md',
      'docs/simulate.md',
      'docs/forecast.md',
      'docs/smart-accounts.md',
      'docs/wallet.md',
      'docs/agents.md',
      'docs/recipes.md',
    ],
  },
  {
    title: 'Guides: operate',
    pages: ['docs/operating.md', 'docs/providers.md', 'docs/serve.md', 'docs/postgresql.md', 'docs/scale.md'],
  },
  {
    title: 'How it works',
    pages: [
      'docs/explanations/state.md',
      'docs/explanations/durability.md',
      'docs/explanations/simulation.md',
      'docs/explanations/requests-and-blocks.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/methods.md',
      'docs/options.md',
      'docs/errors.md',
      'docs/chains.md',
      'docs/differences-from-anvil.md',
      'docs/tenderly.md',
      'docs/provider-errors.md',
      'packages/client/README.md',
      'packages/testing/README.md',
      'packages/wallet/README.md',
      'packages/node/README.md',
      'packages/evm/README.md',
    ],
  },
]

/** The first page of the site. */
export const startPage = 'docs/index.md'

/** The page for addresses that no page has: web servers send `404.html` for them. */
export const notFoundPath = '404'

/**
 * A path of the site as a page writes it. It is relative, so that the site works below any path. The page that is sent for an
 * unknown address cannot know how deep that address is: its own addresses begin at the root of the server.
 */
export const addressOf = (page: string, path: string) => (page === notFoundPath ? `/${path}` : relativePath(page, path))

/** Where a file's page is on the site. */
export function pathOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '')
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')
}
