import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { documentOf } from './layout.ts'
import { navigation, notFoundPath } from './navigation.ts'
import { loadSite, type Site } from './pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const assets = { css: 'a.css', script: 'a.js', theme: 't.js', search: 's.json', methods: 'm.json', icon: 'i.svg' }

let site: Site
/** Whole documents by their path. */
let documents: Map<string, string>
beforeAll(() => {
  site = loadSite(root)
  documents = new Map(site.pages.map((page) => [page.path, documentOf(page, site.pages, assets)]))
})

const idsOf = (html: string) => new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id))

it('has every page of docs/, and each only once', () => {
  const listed = navigation.flatMap(({ pages }) => pages)
  const files = readdirSync(`${root}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => `docs/${name}`)
  expect(listed.filter((file) => file.startsWith('docs/')).sort()).toEqual(files.sort())
  expect(new Set(listed).size).toBe(listed.length)
})

it('has a page for each method: its request in four clients, its response, its errors', () => {
  const paths = site.pages.map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('methods/')).sort()).toEqual(
    methods.map(({ name }) => `methods/${name}`).sort(),
  )
  for (const { name } of methods) {
    const page = site.pages.find(({ path }) => path === `methods/${name}`)
    expect([name, page?.sections.map(({ title }) => title)]).toEqual([
      name,
      expect.arrayContaining([name, 'Request', 'Response', 'Errors']),
    ])
    expect(Array.from(page?.html.matchAll(/data-name="(\w+)"/g) ?? [], ([, client]) => client)).toEqual([
      'curl',
      'viem',
      'ethers',
      'cast',
    ])
  }
})

it('has no cell of a table in which code is cut at a bar', () => {
  for (const { path, html } of site.pages) expect([path, html.match(/<td>[^<]*`.*/g)]).toEqual([path, null])
})

it('lets lines of code in a text end after separators, and not elsewhere', () => {
  const { html } = site.pages.find(({ path }) => path === 'methods/dev_getWorkspaceOverview') as Site['pages'][number]
  expect(html).toMatch(/<code>[^<]*&lt;<wbr>/)
  expect(html.replaceAll(/(?:[|,/(]|&lt;|=&gt;|[A-Z]_)<wbr>/g, '')).not.toContain('<wbr>')
})

describe('links', () => {
  it('of every page lead to a page, a part of one, or a picture', () => {
    const dead: string[] = []
    for (const [path, html] of documents) {
      const at = new URL(`http://site/docs/${path}`)
      for (const [, href = ''] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue
        const { pathname, hash } = new URL(href, at)
        const target = pathname.replace('/docs/', '')
        if (Object.values(assets).includes(target) || site.pictures.has(target)) continue
        const found = documents.get(target)
        if (found === undefined || (hash !== '' && !idsOf(found).has(decodeURIComponent(hash.slice(1)))))
          dead.push(`${path}: ${href}`)
      }
    }
    expect(dead).toEqual([])
  })

  it('of the page for unknown addresses begin at the root, and lead to pages', () => {
    const html = documentOf(site.notFound, site.pages, assets)
    const addresses = Array.from(html.matchAll(/\s(?:href|src|data-\w+)="([^"]+)"/g), ([, href = '']) => href)
    const unknown = addresses.filter((href) => {
      const target = href.slice(1)
      return !(href.startsWith('/') && (documents.has(target) || Object.values(assets).includes(target)))
    })
    expect(unknown).toEqual(['#content'])
    expect(site.pages.map(({ path }) => path)).not.toContain(notFoundPath)
  })

  it('are relative, and nothing is loaded from elsewhere', () => {
    for (const [path, html] of documents) {
      const loaded = Array.from(
        html.matchAll(/<(?:script|link|img|iframe)[^>]*?\s(?:href|src)="([^"]+)"/g),
        ([, href]) => href,
      )
      expect([path, loaded.filter((href) => /^(\/|[a-z]+:)/.test(href ?? ''))]).toEqual([path, []])
      // The content security policy refuses scripts that are part of a page.
      expect([path, html.match(/<script(?![^>]*\ssrc=)|\son\w+="/g)]).toEqual([path, null])
    }
  })
})

it('is built by the release as plain files for any web server', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-site-'))
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'))
  const steps: { run?: string }[] = jobs.release.steps
  const step = steps.find(({ run }) => run?.includes('buildSite.mjs'))?.run ?? ''
  try {
    const environment = { ...process.env, VERSION: '0.2.0' }
    mkdirSync(join(folder, 'release'))
    execFileSync('bash', ['-ec', step.replaceAll('release/', `${folder}/release/`)], { cwd: root, env: environment })
    const packed = execFileSync('tar', ['-tzf', join(folder, 'release/understudy-docs-0.2.0.tgz')], {
      encoding: 'utf8',
    })
    const names = packed.split('\n')
    expect(names).toEqual(
      expect.arrayContaining(['./index.html', './404.html', './methods/eth_call.html', './THIRD-PARTY.txt']),
    )
    expect(names.filter((name) => name.endsWith('.br'))).toEqual([])
    expect(readFileSync(join(folder, 'release/docs/branches.html'), 'utf8')).toContain('<h1 id="branches">')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
