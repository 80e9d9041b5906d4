import { WebSocket } from 'ws'
import { problemOf } from '../answers.ts'
import type { Target } from '../target.ts'
import { keys } from './keys.ts'

const contract = `0x${'aa'.repeat(20)}`
/** Answers, or reverts with, 6.8 MB of zeros: 13.6 MB as hex. */
const codes = ['0x6267c2805ff3', '0x6267c2805ffd']
const limitOfAnswers = 45
/** What the process may hold at the most while this is done to it, in megabytes. */
const memoryLimitMb = 1200

/** Asks for more than fits into memory, and sends more than is answered. Answers how many answers came. */
export async function tryHugeAnswers(target: Target): Promise<number> {
  let answers = 0
  for (const code of codes) {
    const body = JSON.stringify(Array.from({ length: limitOfAnswers }, (_, id) => hugeCall(id, code)))
    answers += requireAnswers(await overHttp(target.url, body))
    answers += requireAnswers(await overSocket(target.url, body))
  }
  await sendMuch(target.url)
  await target.requireAlive()
  if (target.residentMb() > memoryLimitMb) throw new Error(`Huge answers left ${target.residentMb()} MB`)
  return answers
}

const hugeCall = (id: number, code: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_call',
  params: [{ to: contract }, 'latest', { [contract]: { code } }],
})

/** Every call of a batch has an answer. */
function requireAnswers(text: string): number {
  const answers = JSON.parse(text) as unknown[]
  if (!Array.isArray(answers) || answers.length !== limitOfAnswers)
    throw new Error(`A batch of huge answers was answered ${text.slice(0, 300)}`)
  for (const answer of answers) {
    const problem = problemOf(answer)
    if (problem) throw new Error(`A huge answer ${problem}: ${JSON.stringify(answer).slice(0, 300)}`)
  }
  return answers.length
}

async function overHttp(url: string, body: string): Promise<string> {
  return (await fetch(`${url}/rpc/${keys.read}`, { method: 'POST', body })).text()
}

async function overSocket(url: string, body: string): Promise<string> {
  const socket = await open(url)
  const text = new Promise<string>((resolve, reject) => {
    socket.once('message', (data) => resolve(String(data)))
    socket.once('close', (code) => reject(new Error(`The WebSocket was closed with ${code}`)))
  })
  socket.send(body)
  const answer = await text
  socket.terminate()
  return answer
}

/** Large messages of one key on many connections, none of them whole; another key is served. */
async function sendMuch(url: string): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: 60 }, () => open(url)))
  const refused = Promise.race(
    sockets.map((socket) => new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))),
  )
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.send(' '.repeat(5_000_000), { fin: false })
  }
  const code = await refused
  if (code !== 1013) throw new Error(`Messages of 300 MB that never end were closed with ${code}, not 1013`)
  const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}${' '.repeat(1_000_000)}`
  const answer = await fetch(`${url}/rpc/${keys.write}`, { method: 'POST', body })
  if (answer.status !== 200) throw new Error(`Another key was answered HTTP ${answer.status}: ${await answer.text()}`)
  for (const socket of sockets) socket.terminate()
}

async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc/${keys.read}`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}
