import type { Page } from 'playwright-core'

/** Drags files and folders of this machine onto an element and lets go, as a person does. */
export async function drop(page: Page, selector: string, files: readonly string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not in view`)
  const session = await page.context().newCDPSession(page)
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...point, data })
  await session.detach()
}
