import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { render, type Section } from './markdown.ts'
import { methodPages, methodsIndex } from './methodPages.ts'
import { addressOf, navigation, notFoundPath, pathOf, startPage } from './navigation.ts'

export type Page = {
  /** Below /docs/, without an extension; the first page has none. */
  path: string
  title: string
  html: string
  sections: readonly Section[]
  /** Where its links lead to, as they are written. */
  links: readonly string[]
}

export type Site = {
  pages: readonly Page[]
  /** Sent for an address that no page has. */
  notFound: Page
  /** Pictures of the repository that pages show, by their path on the site. */
  pictures: ReadonlyMap<string, string>
}

/** All pages of the documentation, from the repository at `root`. */
export function loadSite(root: string): Site {
  const sources = loadSources(root)
  const methodOf = new Map([...sources.keys()].map((file) => [file.toLowerCase(), file]))
  const pictures = new Map<string, string>()

  function siteOf(from: string, href: string): string | undefined {
    const [target = '', hash] = href.split('#')
    const file = target === '' ? from : posix.join(posix.dirname(from), target)
    const method = file === 'docs/methods.md' && hash && methodOf.get(`docs/methods/${hash}.md`)
    if (method) return pathOf(method)
    const found = [file, `${file}.md`].find((each) => sources.has(each))
    if (found) return pathOf(found) + (hash === undefined ? '' : `#${hash}`)
    if (!/\.(png|svg)$/.test(file) || !existsSync(join(root, file))) return undefined
    pictures.set(pathOf(file), join(root, file))
    return pathOf(file)
  }

  function pageOf(file: string, source: string): Page {
    const path = pathOf(file)
    const { html, sections, links } = render(source, {
      link(href) {
        if (href.startsWith('#')) return href
        const target = siteOf(file, href)
        return target === undefined ? undefined : addressOf(path, target)
      },
      picture: (href) =>
        href.endsWith('.svg')
          ? readFileSync(join(root, posix.dirname(file), href), 'utf8').replace(/<\?xml.*?\?>\s*/, '')
          : undefined,
    })
    return { path, title: sections.find(({ depth }) => depth === 1)?.title ?? path, html, sections, links }
  }
  const pages = [...sources].map(([file, source]) => pageOf(file, source))
  return { pages, notFound: pageOf(`docs/${notFoundPath}.md`, notFound), pictures }
}

const notFound = `# Page not found

The documentation has no page at this address.

<button class="search" type="button">Search the documentation</button>

You can also begin at the [start page](index.md), or look into the list of [methods](methods.md).
`

/** The Markdown of each page by its file; that of methods has no file. */
function loadSources(root: string): Map<string, string> {
  const files = [startPage, ...navigation.flatMap(({ pages }) => pages)].filter((file) => file !== 'docs/methods.md')
  const written = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  const generated = [...methodPages()].map(([name, source]) => [`docs/methods/${name}.md`, source] as const)
  return new Map([...written, ['docs/methods.md', methodsIndex()], ...generated])
}
