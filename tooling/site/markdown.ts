import { posix } from 'node:path'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import lua from 'highlight.js/lib/languages/lua'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Token, type Tokens } from 'marked'

for (const [name, language] of Object.entries({ bash, ini, json, lua, typescript, xml, yaml }))
  hljs.registerLanguage(name, language)

/** What the guides write after three backticks, by the name of its highlighter. */
const languages: Record<string, string> = {
  ...{ sh: 'bash', toml: 'ini', json: 'json', jsonc: 'json', lua: 'lua', html: 'xml', yaml: 'yaml' },
  ...{ ts: 'typescript', js: 'typescript', tsx: 'typescript', sol: 'typescript' },
}

/** A part of a page that has a heading, for the search and the list of the page's parts. */
export type Section = { id: string; title: string; depth: number; text: string }

export type Rendered = { html: string; sections: Section[]; links: string[] }

export type Resolve = {
  /** Where a link of the source leads to on the site; `undefined` if the site does not have it. */
  link(href: string): string | undefined
  /** The text of a picture, to be a part of the page; `undefined` if it is a file of its own. */
  picture(href: string): string | undefined
}

/** As GitHub names the headings of a page. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Renders Markdown. Blocks of code that follow each other and name a `tab=` are shown as tabs. */
export function render(source: string, resolve: Resolve): Rendered {
  const sections: Section[] = []
  const links: string[] = []
  const taken = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = plain(tokens)
        const slug = slugOf(title)
        const count = taken.get(slug) ?? 0
        taken.set(slug, count + 1)
        const id = count === 0 ? slug : `${slug}-${count}`
        sections.push({ id, title, depth, text: '' })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(title)}”">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        // An @ in a version is no address of mail.
        if (href.startsWith('mailto:')) return inner
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noopener">${inner}</a>`
        const target = resolve.link(href)
        if (target === undefined) return inner
        links.push(target)
        return `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text }) {
        const drawn = resolve.picture(href)
        if (drawn !== undefined) return pictureOf(drawn, text)
        const target = resolve.link(href) ?? href
        links.push(target)
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      table(token) {
        return `<div class="table" tabindex="0" role="region" aria-label="Table">${tableOf(this.parser, token)}</div>\n`
      },
      code: (token) => codeOf(token),
      codespan: ({ text }) => `<code>${breakable(text)}</code>`,
      html: ({ text }) => (text.startsWith('<!--') ? '' : text),
    },
  })
  const tokens = marked.lexer(source)
  const html = grouped(tokens)
    .map((group) => (Array.isArray(group) ? tabsOf(group) : marked.parser([group])))
    .join('')
    // A picture is no part of a paragraph.
    .replaceAll(/<p>(<div class="picture".*?<\/div>)<\/p>/gs, '$1')
  fillTexts(tokens, sections)
  return { html, sections, links }
}

function tableOf(parser: { parseInline(tokens: Token[]): string }, { header, rows }: Tokens.Table): string {
  const cells = (row: Tokens.TableCell[], tag: string) =>
    `<tr>${row.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
  const hasHead = header.some(({ text }) => text !== '')
  const head = hasHead ? `<thead>${cells(header, 'th')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`
}

function codeOf({ text, lang }: Pick<Tokens.Code, 'text' | 'lang'>): string {
  const [name = ''] = (lang ?? '').split(' ')
  const language = languages[name]
  const code = language ? hljs.highlight(text, { language }).value : escapeHtml(text)
  return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`
}

/** A picture as a part of the page, in the colours of its theme. */
const pictureOf = (svg: string, text: string) =>
  `<div class="picture" tabindex="0" role="region" aria-label="${escapeHtml(text)}">${svg.replace('<svg ', '<svg aria-hidden="true" ')}</div>`

const tabOf = (token: Token) => (token.type === 'code' ? /\btab=(.+)$/.exec(token.lang ?? '')?.[1] : undefined)

/** Tokens, of which those of one group of tabs are together. */
function grouped(tokens: Token[]): (Token | Tokens.Code[])[] {
  const groups: (Token | Tokens.Code[])[] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (tabOf(token) !== undefined && Array.isArray(last)) last.push(token as Tokens.Code)
    else if (tabOf(token) !== undefined) groups.push([token as Tokens.Code])
    else if (!(token.type === 'space' && Array.isArray(last))) groups.push(token)
  }
  return groups
}

function tabsOf(group: Tokens.Code[]): string {
  const tabs = group.map((token) => {
    const name = escapeHtml(tabOf(token) ?? '')
    return `<div class="tab" data-name="${name}"><p class="tab-name">${name}</p>${codeOf(token)}</div>`
  })
  return `<div class="tabs">${tabs.join('')}</div>\n`
}

/** Gives each section the text until the next heading. */
function fillTexts(tokens: Token[], sections: Section[]): void {
  let at = -1
  for (const token of tokens) {
    const section = sections[at]
    if (token.type === 'heading') at++
    else if (section) section.text += ` ${plain([token])}`
  }
  for (const section of sections) section.text = section.text.replaceAll(/\s+/g, ' ').trim()
}

/** What is read of tokens: no marks, no tags. */
function plain(tokens: readonly Token[]): string {
  return tokens.map(plainOf).join('')
}

function plainOf(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => `${plain(cell.tokens)} `)).join('')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => `${plain(item.tokens)} `).join('')
  if ('tokens' in token && token.tokens) return plain(token.tokens)
  if (token.type === 'space') return ' '
  return 'text' in token ? unescapeHtml(token.text as string) : ''
}

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Code in a text, which a line may end in after a separator, and only there if it can. */
const breakable = (code: string) =>
  code
    .split(/(?<=[|<,/(]|=>)(?=\S)|(?<=[A-Z]_)(?=[A-Z])/)
    .map(escapeHtml)
    .join('<wbr>')

const unescapeHtml = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** A path of the site as it is written on another page of it. Pages are at addresses without an extension. */
export function relativePath(from: string, to: string): string {
  const [path = '', hash] = to.split('#')
  const slash = path.lastIndexOf('/') + 1
  const folder = posix.relative(posix.dirname(`/${from}`), `/${path.slice(0, slash)}`)
  const written = (folder === '' ? '' : `${folder}/`) + path.slice(slash) || './'
  return hash === undefined ? written : `${written}#${hash}`
}
