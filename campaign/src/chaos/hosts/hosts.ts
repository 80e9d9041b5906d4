import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonRpcError, postJsonRpc, type Random, runCommand } from '@understudy/testkit'
import { dropNetwork } from '../../shared/database.ts'
import { defineScenario } from '../../shared/scenario.ts'
import { BranchClient } from '../branches/branchClient.ts'

/** Networks that one client makes, changes and removes, and what they must have. */
type Model = Map<string, Map<string, bigint>>
/** Undefined: it is not known whether the last change was stored. */
type Known = { networks: Model; unsure: string | undefined }

const accounts = [1, 2, 3].map((index) => `0x${String(index).padStart(40, '0')}`)
const clients = 4
const configured = 'always'
/** At most so many answered changes of all clients between two kills. */
const changesLimit = 60
/** Waking a network costs some 100 ms, and most changes here wake one. */
const printMs = 10_000
let lastValue = 0n

/**
 * Kills a process with several networks while clients make, change and remove networks. Each value is written once, so a value
 * that leaks from one network to another, or from one that was removed, is found.
 */
export const hosts = defineScenario({
  name: 'chaos hosts',
  summary: 'SIGKILLs of a process with several networks: each is whole or not there, and has nothing of another.',
  options: { rounds: 60, databaseUrl: '' },
  async run({ random, options: { rounds, databaseUrl }, figures, print }) {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-'))
    const file = join(directory, 'networks.json')
    const data = join(directory, 'data')
    const deployment = `c${random.below(1_000_000)}`
    const databaseOptions = databaseUrl === '' ? {} : { 'database-url': databaseUrl, network: deployment }
    const options = { port: 0, 'data-dir': data, ...databaseOptions }
    // Some sleep while others are used.
    writeFileSync(file, JSON.stringify({ options, networks: { [configured]: {} }, 'sleep-after': 1, 'awake-limit': 6 }))
    const known: Known[] = Array.from({ length: clients }, () => ({ networks: new Map(), unsure: undefined }))
    const branches = new BranchClient(random)
    let printedAt = Date.now()
    try {
      for (let round = 0; round <= rounds; round++) {
        const { child, ended, listening } = runCommand(['serve', '--config', file], { cwd: directory })
        const url = await listening
        const parent = `${url}/n/${configured}`
        await check(url, known, figures.add)
        figures.add('values of branches checked', await branches.check(parent))
        if (databaseUrl === '' && round > 0) assert.deepEqual(readdirSync(join(data, 'incomplete')), [])
        if (round === rounds) {
          for (const { networks } of known)
            for (const name of networks.keys()) await postJsonRpc(url, 'dev_removeNetwork', [name])
          child.kill('SIGTERM')
          assert.equal((await ended).code, 0)
          break
        }
        let left = random.below(changesLimit)
        const change = () => {
          figures.add('changes answered')
          if (left-- === 0) setTimeout(() => child.kill('SIGKILL'), random.below(20))
        }
        const [ofBranches] = await Promise.all([
          branches.run(parent, { mayWriteNetwork: true }),
          ...known.map((own, index) => changeUntilKilled(url, own, { random, name: `n${index}`, change })),
        ])
        figures.add('changes of branches answered', ofBranches)
        await ended
        figures.add('kills')
        if (Date.now() - printedAt < printMs) continue
        printedAt = Date.now()
        print(`${round + 1} of ${rounds} kills, ${figures.get('facts checked') ?? 0} facts checked`)
      }
    } finally {
      rmSync(directory, { recursive: true, force: true })
      if (databaseUrl !== '')
        for (const network of [deployment, `${deployment}_${configured}`]) await dropNetwork({ databaseUrl, network })
    }
  },
})

/** Changes networks of its own names, one change after the other, until the process is gone. */
async function changeUntilKilled(
  url: string,
  own: Known,
  { random, name, change }: { random: Random; name: string; change(): void },
): Promise<void> {
  for (;;) {
    const network = `${name}_${random.below(3)}`
    const values = own.networks.get(network)
    own.unsure = network
    try {
      if (!values) {
        await postJsonRpc(url, 'dev_createNetwork', [{ name: network, options: { accounts: 1 } }])
        own.networks.set(network, new Map())
      } else if (random.below(6) === 0) {
        await postJsonRpc(url, 'dev_removeNetwork', [network])
        own.networks.delete(network)
      } else {
        const account = accounts[random.below(accounts.length)] as string
        const value = ++lastValue
        await postJsonRpc(`${url}/n/${network}`, 'dev_setBalance', [account, String(value)])
        values.set(account, value)
      }
    } catch (error) {
      if (error instanceof JsonRpcError) throw error
      return
    }
    own.unsure = undefined
    change()
  }
}

/** Compares all networks with what was answered. What was not, may have happened or not; from now on it is known. */
async function check(url: string, known: Known[], add: (name: string, more?: number) => void): Promise<void> {
  const listed = await postJsonRpc<{ name: string }[]>(url, 'dev_getNetworks', [])
  const there = new Set(listed.map(({ name }) => name))
  assert(there.delete(configured))
  const seen = new Map<bigint, string>()
  for (const own of known) {
    const { unsure, networks } = own
    own.unsure = undefined
    if (unsure !== undefined && there.has(unsure) !== networks.has(unsure)) {
      if (there.has(unsure)) networks.set(unsure, new Map())
      else networks.delete(unsure)
    }
    for (const [name, values] of networks) {
      assert(there.delete(name), `${name} is lost`)
      for (const account of accounts) {
        const value = BigInt(await postJsonRpc<string>(`${url}/n/${name}`, 'eth_getBalance', [account, 'latest']))
        assert(value === 0n || !seen.has(value), `${name} has ${value} of ${seen.get(value)}`)
        seen.set(value, name)
        if (name !== unsure) assert.equal(value, values.get(account) ?? 0n, `${account} of ${name}`)
        if (value !== 0n) values.set(account, value)
        add('facts checked')
      }
    }
  }
  assert.deepEqual([...there], [], 'networks that were removed, or never made')
}
