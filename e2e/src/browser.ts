import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser of this machine: without windows where that is installed, which takes two fifths less of a processor; `undefined` when it has none (`npm run install-browser -w e2e` installs it on Debian). */
export const browserPath: string | undefined = [process.env.CHROMIUM_PATH, ...paths].find(
  (path) => path !== undefined && existsSync(path),
)

/** As for a person who has been here before. */
export const withoutTour = (context: BrowserContext) =>
  context.addInitScript(() => {
    // An empty page has no storage.
    if (location.origin !== 'null') localStorage.setItem('understudy.tour', 'ended')
  })

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
  })
}
