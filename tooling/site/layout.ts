import { escapeHtml } from './markdown.ts'
import { addressOf, navigation, notFoundPath, pathOf, startPage } from './navigation.ts'
import type { Page } from './pages.ts'

export type Assets = { css: string; script: string; theme: string; search: string; methods: string; icon: string }

type Titles = ReadonlyMap<string, string>

/** A page as a whole document. */
export function documentOf(page: Page, pages: readonly Page[], assets: Assets): string {
  const titles: Titles = new Map(pages.map(({ path, title }) => [path, title]))
  const to = (path: string) => escapeHtml(addressOf(page.path, path))
  const isMethod = page.path.startsWith('methods/')
  const title = page.path === '' ? 'Understudy documentation' : `${page.title} · Understudy`
  return `<!doctype html>
<html lang="en" data-root="${to('')}" data-search="${to(assets.search)}" data-methods="${to(assets.methods)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(descriptionOf(page))}">
<link rel="icon" href="${to(assets.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${to(assets.css)}">
<script src="${to(assets.theme)}"></script>
<script type="module" src="${to(assets.script)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button class="icon menu" type="button" aria-expanded="false" aria-controls="sidebar" aria-label="Menu">${icons.menu}</button>
<a class="brand" href="${to('')}">Understudy <span>docs</span></a>
<button class="search" type="button">${icons.search}<span>Search</span><kbd aria-hidden="true">/</kbd></button>
<button class="icon theme" type="button" aria-label="Dark theme">${icons.theme}</button>
</header>
<div class="columns">
<nav id="sidebar" aria-label="Pages">
${navigation.map((group) => groupOf(group, page, titles)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${isMethod ? `<p class="crumbs"><a href="${to('methods')}">Methods</a></p>` : ''}
${page.html}
</article>
${isMethod || page.path === notFoundPath ? '' : neighbours(page, titles)}
</main>
${contents(page)}
</div>
</body>
</html>
`
}

function groupOf({ title, pages }: { title: string; pages: readonly string[] }, page: Page, titles: Titles): string {
  const items = pages.map((file) => {
    const path = pathOf(file)
    const isHere = path === page.path
    const holds = path === 'methods' && page.path.startsWith('methods/')
    const current = isHere ? ' aria-current="page"' : holds ? ' aria-current="true"' : ''
    const more = path === 'methods' && (isHere || holds) ? '<ul class="methods"></ul>' : ''
    return `<li><a class="item" href="${escapeHtml(addressOf(page.path, path))}"${current}>${escapeHtml(shortTitle(titles.get(path) ?? path))}</a>${more}</li>`
  })
  return `<h2>${title}</h2>\n<ul>${items.join('')}</ul>`
}

const shortTitle = (title: string) => title.replace(/^Options of understudy start$/, 'Options')

/** Links to the pages before and after this one. */
function neighbours(page: Page, titles: Titles): string {
  const order = [startPage, ...navigation.flatMap(({ pages }) => pages)].map(pathOf)
  const at = order.indexOf(page.path)
  const link = (path: string | undefined, label: string, rel: string) =>
    path === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${escapeHtml(addressOf(page.path, path))}"><small>${label}</small>${escapeHtml(titles.get(path) ?? path)}</a>`
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(order[at - 1], 'Previous', 'prev')}${link(order[at + 1], 'Next', 'next')}</nav>`
}

/** The parts of a page, where it has several. */
function contents({ sections, path }: Page): string {
  const parts = sections.filter(({ depth }) => depth === 2)
  if (parts.length < 2 || path === '') return ''
  const items = parts.map(({ id, title }) => `<li><a class="item" href="#${id}">${escapeHtml(title)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

const descriptionOf = ({ sections }: Page) => (sections[0]?.text ?? '').slice(0, 160)

const icon = (path: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`

const icons = {
  menu: icon('<path d="M4 6h16M4 12h16M4 18h16"/>'),
  search: icon('<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>'),
  theme: icon('<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>'),
}
