import MiniSearch from 'minisearch'

/** What the pages do: search, theme, menu, tabs of code, copying, and the list of methods beside a method. */

const { search = '', root = '', methods = '' } = document.documentElement.dataset
const one = <E extends Element>(selector: string) => document.querySelector<E>(selector) as E
const all = <E extends Element>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<E>(selector),
]

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

function startTheme(): void {
  const button = one<HTMLButtonElement>('button.theme')
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  }
  const label = () => button.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme')
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    localStorage.setItem('understudy.theme', theme)
    label()
  })
  label()
}

function startMenu(): void {
  const button = one<HTMLButtonElement>('button.menu')
  const setOpen = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    document.body.classList.toggle('menu-open', isOpen)
  }
  button.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') !== 'true'))
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') setOpen(false)
  })
}

/** Shows one block of code at a time; which client was chosen is kept for all pages. */
function startTabs(): void {
  for (const [index, group] of all('.tabs').entries()) {
    const panels = all<HTMLElement>('.tab', group)
    const list = element('div', { role: 'tablist', 'aria-label': 'Client' })
    const buttons = panels.map((panel, at) => {
      const name = panel.dataset.name ?? ''
      panel.id = `tab-${index}-${at}`
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-label', name)
      const button = element('button', { type: 'button', role: 'tab', 'aria-controls': panel.id }, name)
      button.addEventListener('click', () => {
        localStorage.setItem('understudy.client', name)
        choose(at)
      })
      button.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
        if (step === 0) return
        const next = (at + step + panels.length) % panels.length
        buttons[next]?.click()
        buttons[next]?.focus()
      })
      return button
    })
    const choose = (chosen: number) => {
      for (const [at, button] of buttons.entries()) {
        button.setAttribute('aria-selected', String(at === chosen))
        button.tabIndex = at === chosen ? 0 : -1
        const panel = panels[at]
        if (panel) panel.hidden = at !== chosen
      }
    }
    list.append(...buttons)
    group.prepend(list)
    group.classList.add('chosen')
    const known = localStorage.getItem('understudy.client')
    choose(
      Math.max(
        0,
        panels.findIndex(({ dataset }) => dataset.name === known),
      ),
    )
  }
}

function startCopying(): void {
  if (!navigator.clipboard) return
  for (const block of all('.code')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => button.replaceChildren('Copy'), 1500)
    })
    block.append(button)
  }
}

async function listMethods(): Promise<void> {
  const list = document.querySelector<HTMLUListElement>('ul.methods')
  if (!list) return
  const here = decodeURIComponent(/methods\/([^/]+?)(?:\.html)?$/.exec(location.pathname)?.[1] ?? '')
  if (here === '') return
  const names: string[] = await (await fetch(methods)).json()
  const namespace = here.slice(0, here.indexOf('_') + 1)
  const items = names
    .filter((name) => name.startsWith(namespace))
    .map((name) => {
      const link = element(
        'a',
        { class: 'item', href: `${root}methods/${name}`, ...(name === here && { 'aria-current': 'page' }) },
        name,
      )
      return element('li', {}, link)
    })
  list.append(...items)
  const current = list.querySelector('[aria-current]')
  const sidebar = one<HTMLElement>('#sidebar')
  if (current) sidebar.scrollTop = current.getBoundingClientRect().top - sidebar.getBoundingClientRect().top - 200
}

type Entry = { u: string; p: string; t: string; x: string }

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const entries: Entry[] = await (await fetch(search)).json()
  const index = new MiniSearch<Entry>({
    idField: 'u',
    fields: ['t', 'p', 'x'],
    storeFields: ['u', 'p', 't', 'x'],
    // A method is found by its whole name and by the words in it.
    tokenize: (text) =>
      text
        .split(/[^\p{L}\p{N}_]+/u)
        .flatMap((word) => [word, ...(/[_a-z][A-Z]|_/.test(word) ? word.split(/_|(?<=[a-z])(?=[A-Z])/) : [])])
        .filter((word) => word !== ''),
    searchOptions: {
      boost: { t: 6, p: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.15 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(entries)
  return index
}

function startSearch(): void {
  const input = element('input', {
    ...{ type: 'search', placeholder: 'Search the documentation', 'aria-label': 'Search the documentation' },
    ...{
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'found',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
    },
  })
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const state = element('p', { role: 'status' })
  const dialog = element('dialog', { 'aria-label': 'Search' }, input, state, list)
  document.body.append(dialog)
  let index: Promise<MiniSearch<Entry>> | undefined
  let chosen = 0

  const open = () => {
    index ??= loadIndex()
    if (!dialog.open) dialog.showModal()
    input.select()
  }
  /** Searches for the words of an address that has no page. */
  const openWithAddress = () => {
    input.value = /([\w-]+)(?:\.\w+)?\/?$/.exec(location.pathname)?.[1]?.replaceAll('-', ' ') ?? ''
    open()
    void show()
  }
  const choose = (at: number) => {
    const items = all<HTMLElement>('[role=option]', list)
    chosen = Math.min(Math.max(at, 0), items.length - 1)
    for (const [position, item] of items.entries()) item.setAttribute('aria-selected', String(position === chosen))
    items[chosen]?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', items[chosen]?.id ?? '')
  }
  const show = async () => {
    const text = input.value.trim()
    index ??= loadIndex()
    const found = text === '' ? [] : (await index).search(text).slice(0, 20)
    if (text !== input.value.trim()) return
    const items = found.map((entry, at) => {
      const { u, p, t, x } = entry as unknown as Entry
      const parts = [element('strong', {}, t), element('small', { class: 'of' }, t === p ? 'Page' : p)]
      const item = element('li', { class: 'hit', role: 'option', id: `found-${at}` }, ...parts, excerpt(x, entry.terms))
      item.addEventListener('click', () => {
        dialog.close()
        location.assign(root + u)
      })
      return item
    })
    list.replaceChildren(...items)
    input.setAttribute('aria-expanded', String(items.length > 0))
    state.textContent =
      text === '' ? '' : items.length === 0 ? `Nothing found for “${text}”` : `${items.length} results`
    choose(0)
  }
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') list.querySelector<HTMLElement>('[aria-selected=true]')?.click()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  one('header button.search').addEventListener('click', open)
  document.querySelector('article button.search')?.addEventListener('click', openWithAddress)
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, textarea, select') !== null
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault()
      open()
    }
  })
}

/** The part of a text around the first word that was found. */
function excerpt(text: string, terms: readonly string[]): HTMLElement {
  const lower = text.toLowerCase()
  const offsets = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...offsets, text.length) - 40)
  const start = offsets.length === 0 ? 0 : from
  return element('span', { class: 'excerpt' }, (start > 0 ? '…' : '') + text.slice(start, start + 140))
}

startTheme()
startMenu()
startTabs()
startCopying()
startSearch()
void listMethods()
