import { testAccounts } from '@understudy/testkit'
import type { Hex } from 'viem'
import { defineScenario, type ScenarioRun } from '../../shared/scenario.ts'
import { type Answered, ask } from '../answers.ts'
import { startTarget, type Target } from '../target.ts'
import { type HostileProgram, hostilePrograms } from './programs.ts'
import { randomProgram } from './randomPrograms.ts'
import { type Attack, ways } from './ways.ts'

type Run = ScenarioRun<{ programs: number; randomPrograms: number; callTimeout: number; transactionGas: number }>

const contract: Hex = '0x00000000000000000000000000000000000c0de5'
const sender = testAccounts[0].address

/** The most gas of a transaction (EIP-7825). */
const mostGas = 16_777_216
/** How long a request may take beyond the time that it may compute: single operations, answers of megabytes, a slow machine. */
const slackMs = 30_000
/** What the process may hold at the most: WebAssembly's memories (1 GB each before they are replaced), and answers. */
const residentLimitMb = 4_000

/** Runs hostile code in every way that the network offers. */
export const contracts = defineScenario({
  name: 'fuzz contracts',
  summary: 'Hostile bytecode in calls, estimates, traces, transactions and tracked items: bounded time and memory.',
  options: { programs: hostilePrograms.length, randomPrograms: 2000, callTimeout: 1, transactionGas: mostGas },
  async run(run) {
    const { random, options, figures } = run
    const target = await startTarget({ forked: true }, ['--call-timeout', `${options.callTimeout}`])
    const chosen = [...hostilePrograms].sort(() => random.next() - 0.5).slice(0, options.programs)
    figures.set('memory before, MB', target.residentMb())
    for (const program of chosen) await attack(run, target, program, Object.keys(ways))
    for (let index = 0; index < options.randomPrograms; index++)
      await attack(run, target, randomProgram(random, index), ['call', 'transaction', 'callTracer'])
    figures.set('memory after, MB', target.residentMb())
    await target.stop()
  },
})

/** Puts a program on the network and runs it, in each way. */
async function attack(run: Run, target: Target, program: HostileProgram, names: readonly string[]): Promise<void> {
  await ask(target.url, 'dev_setCode', [contract, program.code])
  for (const name of names) {
    try {
      await attackIn(name, run, target, program)
    } catch (error) {
      await target.requireAlive()
      throw new Error(`${program.name} (${name}): ${(error as Error).message}`, { cause: error })
    }
  }
}

async function attackIn(name: string, run: Run, target: Target, program: HostileProgram): Promise<void> {
  const { figures, options } = run
  await target.others.worstMs()
  const { ms } = await requireExecution(name)({
    url: target.url,
    contract,
    sender,
    data: program.data ?? '0x',
    transactionGas: options.transactionGas,
  })
  const others = await target.others.worstMs()
  const resident = target.residentMb()
  figures.add('requests')
  worst(run, `slowest ${name}, s`, ms / 1000, program.name)
  worst(run, 'longest wait of others, s', others / 1000, `${name}: ${program.name}`)
  worst(run, 'most memory, MB', resident, `${name}: ${program.name}`)
  if (ms > options.callTimeout * 1000 + slackMs) throw new Error(`it took ${Math.round(ms)} ms`)
  if (resident > residentLimitMb) throw new Error(`it left ${resident} MB`)
}

function requireExecution(name: string): (attack: Attack) => Promise<Answered> {
  const way = ways[name]
  if (!way) throw new Error(`No way is called ${name}`)
  return way
}

function worst({ figures }: Run, name: string, value: number, by: string): void {
  const known = Number.parseFloat(String(figures.get(name) ?? 0))
  if (value > known) figures.set(name, `${value.toFixed(value < 100 ? 2 : 0)} (${by})`)
}
