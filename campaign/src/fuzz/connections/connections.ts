import { defineScenario, type ScenarioRun } from '../../shared/scenario.ts'
import { startTarget, type Target } from '../target.ts'
import { tryBodies } from './bodies.ts'
import { type Crowd, crowds, dripUntilClosed, gather } from './crowd.ts'
import { tryHugeAnswers } from './hugeAnswers.ts'
import { keyFlags, keys, secretPart } from './keys.ts'
import { originFlags, tryOrigins } from './origins.ts'
import { tryOversized } from './oversized.ts'
import { tryRoles } from './roles.ts'

type Run = ScenarioRun<{ methods: number; sockets: number; slow: number; churn: number }>

/** `--request-timeout` of the network, in seconds: slower connections are closed. */
const requestTimeout = 3
/** Other clients' connections next to a crowd. */
const spare = 100
/** Maximum waiting time of other clients during a crowd, in milliseconds. */
const waitLimitMs = 5_000

/** Tries everything that the server must refuse: no key, foreign pages, too large, too slow, too many at once. */
export const connections = defineScenario({
  name: 'fuzz connections',
  summary:
    'Keys, roles, hosts, origins, sizes, slow clients, 10 000 sockets, churn: refused exactly, and others are served.',
  options: { methods: 1000, sockets: 10_000, slow: 500, churn: 20_000 },
  async run(run) {
    const { options, figures } = run
    // A key may have half of the WebSockets.
    const limits = ['--websocket-limit', `${2 * options.sockets}`, '--connection-limit', `${options.sockets + spare}`]
    const target = await startTarget({ forked: false, key: keys.admin }, [
      ...keyFlags,
      ...originFlags,
      ...limits,
      ...['--request-timeout', `${requestTimeout}`, '--log-level', 'trace'],
    ])
    figures.set('methods × roles', await tryRoles(target, options.methods))
    figures.set('hosts and origins', await tryOrigins(target))
    figures.set('sizes', await tryOversized(target))
    figures.set('bodies without keys', await tryBodies(target))
    figures.set('huge answers', await tryHugeAnswers(target))
    figures.set('longest wait of others beside them, ms', Math.round(await target.others.worstMs()))
    figures.set('memory before, MB', target.residentMb())
    await stand(run, target, crowds.idle, options.sockets)
    await stand(run, target, crowds.webSockets, options.sockets)
    for (const crowd of [crowds.silent, crowds.slowHeaders, crowds.slowBodies])
      await drip(run, target, crowd, options.slow)
    await churn(run, target)
    await requireNoSecrets(target)
    const log = await target.stop()
    const line = log.split('\n').find((each) => each.includes(secretPart))
    if (line !== undefined) throw new Error(`A key is in the log: ${line}`)
    if (/Failed unexpectedly/.test(log)) throw new Error(`The log has ${/.*Failed unexpectedly.*/.exec(log)?.[0]}`)
  },
})

/** As many connections as the server accepts, and some more, which get a clear refusal. */
async function stand({ figures }: Run, target: Target, crowd: Crowd, count: number): Promise<void> {
  await target.others.worstMs()
  const beyond = 200
  const gathered = await gather(target.port, crowd, count + beyond, keys.read)
  figures.set(`${crowd.name}: served`, gathered.served)
  figures.set(`${crowd.name}: refused`, gathered.refused)
  figures.set(`${crowd.name}: memory, MB`, target.residentMb())
  await noteWait(figures, target, crowd)
  if (gathered.served < count)
    throw new Error(`Only ${gathered.served} of ${count} connections ${crowd.name} were served`)
  // A WebSocket that answers no ping is cut off, which makes room for others.
  const open = gathered.sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  if (open > count + spare) throw new Error(`${open} connections ${crowd.name} are open at once`)
  await gathered.close()
}

/** Connections that never complete a request are closed. */
async function drip({ figures }: Run, target: Target, crowd: Crowd, count: number): Promise<void> {
  await target.others.worstMs()
  const gathered = await gather(target.port, crowd, count, keys.read)
  const timeoutMs = requestTimeout * 1000 + 20_000
  figures.set(
    `${crowd.name}: cut off after, ms`,
    Math.round(await dripUntilClosed(gathered, crowd.drip ?? '', timeoutMs)),
  )
  await noteWait(figures, target, crowd)
}

/** Connections that open and close. */
async function churn({ figures, options }: Run, target: Target): Promise<void> {
  await target.others.worstMs()
  const before = target.residentMb()
  for (let done = 0; done < options.churn; done += 500) {
    const crowd = done % 1000 === 0 ? crowds.idle : crowds.webSockets
    await (await gather(target.port, crowd, Math.min(500, options.churn - done), keys.read)).close()
  }
  figures.set('churn: connections', options.churn)
  figures.set('churn: memory before and after, MB', `${before}, ${target.residentMb()}`)
  await noteWait(figures, target, { name: 'churn' })
  if (target.residentMb() > before + 200)
    throw new Error(`Connections that are gone left ${target.residentMb() - before} MB`)
}

async function noteWait(figures: Run['figures'], target: Target, { name }: { name: string }): Promise<void> {
  const worst = await target.others.worstMs()
  figures.set(`${name}: longest wait of others, ms`, Math.round(worst))
  if (worst > waitLimitMs) throw new Error(`Others waited ${Math.round(worst)} ms (${name})`)
  await target.requireAlive()
}

/** Keys were sent in headers and in paths; no log, metric or answer may contain one. */
async function requireNoSecrets({ url }: Target): Promise<void> {
  const authorization = `Bearer ${keys.admin}`
  const post = (path: string, method: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ id: 1, method, params: [] }),
    })
  const answers = [
    await fetch(`${url}/metrics`, { headers: { authorization } }),
    await fetch(`${url}/health`),
    await post('/', 'dev_getAuditLog'),
    await post('/', 'dev_getApiKeys'),
    await post(`/rpc/${keys.admin}/nowhere`, 'eth_chainId'),
    await post(`/${keys.admin}`, 'eth_chainId'),
  ]
  for (const answer of answers)
    if ((await answer.text()).includes(secretPart))
      throw new Error(`A key is shown at ${new URL(answer.url).pathname.replace(keys.admin, '…')}`)
}
