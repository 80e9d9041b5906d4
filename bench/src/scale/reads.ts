import { Agent, request as send } from 'undici'

type Request = { method: string; params: unknown[] }

/** Counts the answers per second of nodes to the same request; each client sends one at a time. */
export async function measureReads(
  urls: readonly string[],
  request: Request,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const agent = new Agent({ connections: clients })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })
  const end = performance.now() + seconds * 1000
  let answers = 0
  async function client(url: string): Promise<void> {
    while (performance.now() < end) {
      const { body: answer } = await send(url, { method: 'POST', body, dispatcher: agent })
      const text = await answer.text()
      if (!text.includes('"result"')) throw new Error(text)
      answers++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(urls[index % urls.length] as string)))
  await agent.close()
  return answers / seconds
}
