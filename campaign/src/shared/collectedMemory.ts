import { WebSocket } from 'ws'

/** What a Node.js process holds after its garbage was collected, in MB. Memories of WebAssembly count as `external`. */
export type CollectedMemory = { heap: number; external: number; resident: number }

/** The environment of a process whose memory is read. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/**
 * Collects all garbage of a process and reads its memory. What garbage takes depends on when it is collected, so without
 * this, memory that is still held cannot be told from memory that is not. `stderr`: what the process has written until now.
 */
export async function readCollectedMemory(stderr: string): Promise<CollectedMemory> {
  const url = stderr.match(/(?<=Debugger listening on )ws:\S+/g)?.at(-1)
  if (url === undefined) throw new Error('the process was started without its inspector')
  const socket = new WebSocket(url)
  const answers: Promise<unknown>[] = []
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const ask = (method: string, params: object = {}) => {
      const id = answers.length
      const answer = new Promise<{ result?: { value?: string } }>((resolve) =>
        socket.on('message', (data) => {
          const message = JSON.parse(String(data))
          if (message.id === id) resolve(message.result)
        }),
      )
      answers.push(answer)
      socket.send(JSON.stringify({ id, method, params }))
      return answer
    }
    // What has a finalizer is freed by the collection after the next one.
    for (let time = 0; time < 3; time++) await ask('HeapProfiler.collectGarbage')
    const { result } = await ask('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })
    const { heapUsed, external, rss } = JSON.parse(result?.value ?? '{}') as NodeJS.MemoryUsage
    const [heap = 0, outside = 0, resident = 0] = [heapUsed, external, rss].map((bytes) => Math.round(bytes / 1e6))
    return { heap, external: outside, resident }
  } finally {
    socket.close()
  }
}
