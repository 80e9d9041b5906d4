import type { Hex } from 'viem'
import { networkPath } from '../../location/networkUrl.ts'
import { showToast } from '../actions/toasts.ts'
import { createNoticeRate } from './noticeRate.ts'
import { watchStore } from './watches.ts'

const rates = {
  transaction: createNoticeRate(),
  value: createNoticeRate(),
  network: createNoticeRate(),
}

export type Notice = {
  /** Each kind has a rate of its own. */
  kind: keyof typeof rates
  tone: 'good' | 'bad'
  title: string
  text: string
  /** The transaction that it is about. */
  transaction?: Hex
}

/** Shows a notice in the page, and one of the system while the page is not visible. Those that are too many are left out. */
export function notify(notice: Notice): void {
  const turn = rates[notice.kind](Date.now())
  if (turn === 'drop') return
  const { tone, title, text, transaction } =
    turn === 'last'
      ? { ...notice, text: `${notice.text}. More may have happened: notifications pause for a few seconds` }
      : notice
  showToast({ tone, title, advice: text, transaction })
  if (!watchStore.get().system || document.visibilityState === 'visible' || permission() !== 'granted') return
  try {
    const shown = new Notification(title, { body: text, icon: '/icon.svg', tag: transaction })
    shown.onclick = () => {
      window.focus()
      if (transaction) window.location.assign(`${networkPath}/tx/${transaction}`)
    }
  } catch {
    // Browsers of phones have the class and refuse to construct it.
  }
}

/** Whether the system may show notices; `unsupported` where there are none, as on pages without HTTPS. */
export const permission = (): NotificationPermission | 'unsupported' =>
  'Notification' in window && window.isSecureContext ? Notification.permission : 'unsupported'

/** Asks the user whether the system may show notices. */
export async function askPermission(): Promise<NotificationPermission | 'unsupported'> {
  if (permission() === 'default') await Notification.requestPermission()
  return permission()
}
