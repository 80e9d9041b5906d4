import { parseArgs } from 'node:util'
import { createRandom, type Random } from '@understudy/testkit'
import { createFigures, type Figures } from './figures.ts'

/** The options of a scenario, set by flags of its command. The type of the default is the type of the flag. */
type Options = Record<string, number | string>

/** An attempt to break the network. It runs from a seed, in a given size, and ends with figures. */
export type Scenario<Chosen extends Options = Options> = {
  /** The name of its command, such as `chaos kill`. */
  name: string
  summary: string
  /** The defaults of the long run; `databaseUrl` is the flag `--database-url`. */
  options: Chosen
  /** Throws if it finds a fault. */
  run(run: ScenarioRun<Chosen>): Promise<void>
}

export type ScenarioRun<Chosen extends Options = Options> = {
  seed: number
  /** The random choices of the seed. */
  random: Random
  options: Chosen
  figures: Figures
  /** Prints a line while it runs. */
  print(line: string): void
}

/** Returns the scenario. It only infers the type. */
export function defineScenario<Chosen extends Options>(scenario: Scenario<Chosen>): Scenario<Chosen> {
  return scenario
}

/** Runs a scenario and prints its seed and its figures, also when it fails. Without a seed, one is taken by the clock. */
export async function runScenario<Chosen extends Options>(
  scenario: Scenario<Chosen>,
  { seed = Date.now() % 1_000_000, ...chosen }: Partial<Chosen> & { seed?: number } = {},
): Promise<Figures> {
  const figures = createFigures()
  const options = { ...scenario.options, ...chosen } as Chosen
  const started = Date.now()
  console.log(`${scenario.name} --seed ${seed}`)
  try {
    await scenario.run({ seed, random: createRandom(seed), options, figures, print: (line) => console.log(line) })
  } catch (error) {
    throw new Error(`${scenario.name} --seed ${seed} failed: ${(error as Error).message}`, { cause: error })
  } finally {
    figures.set('seconds', ((Date.now() - started) / 1000).toFixed(1))
    console.log(figures.text())
  }
  return figures
}

/** Runs a scenario by the flags of a command line. */
export async function runByFlags(scenario: Scenario, args: readonly string[]): Promise<void> {
  const defaults: Options = { seed: 0, ...scenario.options }
  const types = Object.keys(defaults).map((name) => [flagOf(name), { type: 'string' }] as const)
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(types) })
  const chosen: Options = {}
  for (const [name, byDefault] of Object.entries(defaults)) {
    const text = values[flagOf(name)]
    if (typeof text !== 'string') continue
    chosen[name] = typeof byDefault === 'number' ? requireNumber(name, text) : text
  }
  await runScenario(scenario, chosen)
}

/** The command of a scenario, its flags with their defaults, and what it does. */
export function describeScenario({ name, summary, options }: Scenario): string {
  const flags = Object.entries(options).map(([option, byDefault]) => ` [--${flagOf(option)} ${byDefault || '…'}]`)
  return `npm run ${name.replace(' ', ' -- ')} [--seed N]${flags.join('')}\n  ${summary}`
}

const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function requireNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${flagOf(name)} takes a whole number, not ${text}`)
  return Number(text)
}
