import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = { run(options: object): Promise<{ violations: Violation[] }> }
type Violation = { id: string; nodes: { html: string }[] }

/** The rules of WCAG 2 A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Those of them that a theme can break: the others see the same page in both. */
export const ofColours = ['color-contrast', 'link-in-text-block']

/** Loads what finds breaches into a page, once after each load of the page. */
export const loadAxe = (page: Page) => page.evaluate(axe)

/** What a page breaks of rules of WCAG 2 A and AA. */
export async function breaches(
  page: Page,
  { runOnly, rules = {} }: { runOnly: string[]; rules?: object },
): Promise<string[]> {
  const { violations } = await page.evaluate(
    (chosen) => (globalThis as never as { axe: Axe }).axe.run(chosen),
    // No rule that is run reads style sheets, which it would fetch again each time. What passes is not described.
    { runOnly, rules, reporter: 'no-passes', selectors: false, preload: false },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
