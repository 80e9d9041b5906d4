import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'rolldown'
import { listPackages } from '../build/listPackages.mjs'
import { type Assets, documentOf } from './layout.ts'
import { notFoundPath } from './navigation.ts'
import { loadSite, type Page, type Site } from './pages.ts'

/** Text is stored compressed alone: nearly every client takes it so, and the server can unpack it for the others. */
const texts = /\.(html|css|js|json|svg)$/

/** Writes the files of the site into a folder: packed, as a network serves them, or plain, for any web server. */
export async function writeSite(root: string, folder: string, { isPacked }: { isPacked: boolean }): Promise<void> {
  const site = loadSite(root)
  const { files, assets } = await loadAssets(root, site)
  for (const page of site.pages) files.set(`${page.path || 'index'}.html`, documentOf(page, site.pages, assets))
  files.set(`${notFoundPath}.html`, documentOf(site.notFound, site.pages, assets))
  for (const [path, file] of site.pictures) files.set(path, readFileSync(file))
  for (const [path, content] of files) write(join(folder, path), content, isPacked)
}

async function loadAssets(
  root: string,
  site: Site,
): Promise<{ files: Map<string, string | Uint8Array>; assets: Assets }> {
  const files = new Map<string, string | Uint8Array>()
  /** A digest in its name lets clients keep it. */
  function add(name: string, content: string | Uint8Array): string {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 8)
    const path = `assets/${name.slice(0, -extname(name).length)}-${digest}${extname(name)}`
    files.set(path, content)
    return path
  }
  const theme = (name: string) => join(root, 'tooling/site/theme', name)
  const font = (name: string, file: string) =>
    add(`${name}.woff2`, readFileSync(join(root, `node_modules/@fontsource-variable/${name}/files/${file}`))).slice(
      'assets/'.length,
    )
  const inter = font('inter', 'inter-latin-wght-normal.woff2')
  const mono = font('jetbrains-mono', 'jetbrains-mono-latin-wght-normal.woff2')
  const { script, notices } = await bundleScript(root, theme('site.ts'))
  files.set('THIRD-PARTY.txt', notices)
  const colours = join(root, 'packages/web/src/colours.css')
  const styles = [colours, ...['base.css', 'article.css', 'layout.css'].map(theme)]
  const css = styles
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replace('INTER', inter)
    .replace('MONO', mono)
  return {
    files,
    assets: {
      css: add('site.css', css),
      script: add('site.js', script),
      theme: add('theme.js', readFileSync(theme('theme.js'))),
      icon: add('icon.svg', readFileSync(join(root, 'packages/web/public/icon.svg'))),
      search: add('search.json', JSON.stringify(site.pages.flatMap(entriesOf))),
      methods: add(
        'methods.json',
        JSON.stringify(site.pages.flatMap(({ path }) => /^methods\/(.*)/.exec(path)?.[1] ?? [])),
      ),
    },
  }
}

async function bundleScript(root: string, input: string): Promise<{ script: string; notices: string }> {
  const fonts = ['inter', 'jetbrains-mono'].map((name) => `@fontsource-variable/${name}`)
  const { output } = await build({
    input,
    write: false,
    platform: 'browser',
    plugins: [listPackages(join(root, 'packages/node/generated/docs.json'), root, fonts)],
    output: { format: 'esm', minify: true, comments: false },
  })
  const [chunk] = output.filter((file) => file.type === 'chunk')
  const notices = output.find(({ fileName }) => fileName === 'THIRD-PARTY.txt')
  return { script: chunk?.code ?? '', notices: notices?.type === 'asset' ? String(notices.source) : '' }
}

/** What the search finds: the parts of guides, and each method as a whole. `u` is the address, `p` the page, `t` the title, `x` the text. */
function entriesOf({ path, title, sections }: Page) {
  if (!path.startsWith('methods/'))
    return sections.map(({ id, title: part, depth, text }) => ({
      u: depth === 1 ? path : `${path}#${id}`,
      p: title,
      t: part,
      x: text.slice(0, 6000),
    }))
  const text = sections.filter(({ title: part }) => part === title || part === 'Request').map((part) => part.text)
  return [{ u: path, p: 'Methods', t: title, x: text.join(' ').slice(0, 800) }]
}

function write(path: string, content: string | Uint8Array, isPacked: boolean): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!isPacked || !texts.test(path)) {
    writeFileSync(path, content)
    return
  }
  const bytes = Buffer.from(content)
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // The best quality takes five times as long, for 7 % of the size.
    [constants.BROTLI_PARAM_QUALITY]: 9,
  }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}
