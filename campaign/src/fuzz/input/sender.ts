import type { Random } from '@understudy/testkit'
import { WebSocket } from 'ws'

/** Sends single requests over HTTP or over one WebSocket, at random. */
export async function createSender(url: string, random: Random) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let take: ((text: string) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  socket.on('message', (data) => {
    const text = String(data)
    // Notifications may arrive in between.
    if (!text.includes('"method":"eth_subscription"')) take?.(text)
  })
  socket.on('close', (code, reason) => fail?.(new Error(`The WebSocket was closed with ${code} ${reason}`)))

  async function overHttp(body: string): Promise<string> {
    const response = await fetch(url, { method: 'POST', body })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text.slice(0, 300)}`)
    return text
  }

  const overSocket = (body: string) =>
    new Promise<string>((resolve, reject) => {
      take = resolve
      fail = reject
      socket.send(body)
    })

  return {
    send: (body: string) =>
      random.below(3) === 0 && socket.readyState === socket.OPEN ? overSocket(body) : overHttp(body),
    close: () => socket.terminate(),
  }
}
