import { defineScenario } from '../../shared/scenario.ts'
import { problemOf } from '../answers.ts'
import { startTarget, type Target } from '../target.ts'
import { randomBody } from './bodies.ts'
import { createFaults, type Faults } from './faults.ts'
import { fuzzHttp } from './rawHttp.ts'
import { fuzzRawTransactions } from './rawTransactions.ts'
import { fuzzRequests } from './requests.ts'
import { createSender } from './sender.ts'
import { fuzzFrames } from './webSocketFrames.ts'

/** Sends malformed parameters, transactions, bodies, HTTP and frames to a fork and to a network that seals no blocks on its own. */
export const input = defineScenario({
  name: 'fuzz input',
  summary:
    'Requests by the grammar of their schemas, raw transactions, bodies, HTTP and WebSocket frames: nothing breaks, nothing is left behind.',
  options: { cases: 200_000 },
  async run({ random, options: { cases }, figures, print }) {
    const faults = createFaults()
    for (const forked of [true, false]) {
      const target = await startTarget({ forked })
      const { url, port } = target
      const share = (part: number) => Math.ceil((cases / 2) * part)
      const sender = await createSender(url, random)
      await fuzzRequests(url, { count: share(0.6), random, figures, faults, send: sender.send })
      sender.close()
      await fuzzRawTransactions(url, { count: share(0.1), random, figures, faults })
      const bodies = { count: share(0.2), random, faults }
      await fuzzBodies(target, bodies)
      await fuzzHttp(port, { count: share(0.07), random, faults })
      await fuzzFrames(port, { count: share(0.03), random, faults })
      figures.add('raw bodies', share(0.2))
      figures.add('raw HTTP', share(0.07))
      figures.add('WebSocket frames', share(0.03))
      const name = forked ? 'fork' : 'sample'
      figures.set(`longest wait of others (${name}), ms`, Math.round(await target.others.worstMs()))
      figures.set(`memory after (${name}), MB`, target.residentMb())
      await target.requireAlive()
      const log = await target.stop()
      if (/Failed unexpectedly|A listener failed/.test(log)) faults.add(log.slice(0, 3000), 'the log')
      print(`${name}: done`)
    }
    faults.requireNone()
  },
})

type Count = { count: number; random: Parameters<typeof randomBody>[0]; faults: Faults }

/** Every body is answered with JSON-RPC, or with nothing when nothing was asked. */
async function fuzzBodies({ url }: Target, { count, random, faults }: Count): Promise<void> {
  const types = ['application/json', 'text/plain', 'application/octet-stream', 'multipart/form-data', '']
  for (let index = 0; index < count; index++) {
    const body = randomBody(random)
    await faults.during(body.toString('latin1'), async () => {
      const response = await fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { 'content-type': random.pick(types) },
      })
      const text = await response.text()
      if (response.status === 204 && text === '') return
      if (![200, 429].includes(response.status)) throw new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`)
      const answer = JSON.parse(text) as unknown
      for (const one of Array.isArray(answer) ? answer : [answer]) {
        const problem = problemOf(one)
        if (problem) throw new Error(`the answer ${problem}: ${text.slice(0, 200)}`)
      }
    })
  }
}
