import type { Locator, Page } from 'playwright-core'

/** Elements that Tab may pass, at most: more than a page has. */
const limit = 250

/** Moves the focus to an element as a person without a mouse does. Throws if Tab does not reach it. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < limit; presses++) {
    const key = await element.evaluate((one) => {
      const { activeElement } = document
      if (one === activeElement) return undefined
      const isBefore = activeElement && one.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_FOLLOWING
      return isBefore ? 'Shift+Tab' : 'Tab'
    })
    if (key === undefined) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab does not reach ${element}`)
}

/** Presses a button or follows a link by keyboard. */
export async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }).first())
  await page.keyboard.press('Enter')
}

/** Enters text in the field with this label. */
export async function enter(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }).first())
  await page.keyboard.type(text)
}
