import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CommandRun } from '@understudy/testkit'
import { runCommand } from '../runCommand.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A command of a tutorial, and the lines that the tutorial says it prints; `…` in them stands for anything. */
type Step = { command: string; printed: string[] }

/** The steps of a tutorial in their order: commands, and files to write. */
type Part = Step | { file: string; text: string }

/** Reads the blocks of a tutorial: those of `sh`, in which comments after a command are its output, and those that name a `file=`. */
export function partsOf(tutorial: string): Part[] {
  const text = readFileSync(join(root, 'docs', tutorial), 'utf8')
  return [...text.matchAll(/^```(\S+)(?: file=(\S+))?\n(.*?)^```/gms)].flatMap(
    ([, language, file, block = '']): Part[] => {
      if (file !== undefined) return [{ file, text: block }]
      return language === 'sh' ? stepsOf(block) : []
    },
  )
}

function stepsOf(block: string): Step[] {
  const steps: Step[] = []
  let isOpen = false
  for (const line of block.trimEnd().split('\n')) {
    const last = steps.at(-1)
    const output = /^# (.*)$/.exec(line)?.[1]
    if (output !== undefined && last) last.printed.push(output)
    else if (isOpen && last) last.command += `\n${line}`
    else steps.push({ command: line, printed: [] })
    if (output === undefined) isOpen = isUnfinished(steps.at(-1)?.command ?? '')
  }
  return steps
}

/** Whether a command goes on in the next line: it ends in a backslash, or inside quotes. */
const isUnfinished = (command: string) => command.endsWith('\\') || command.split("'").length % 2 === 0

type Surroundings = { directory: string; environment: NodeJS.ProcessEnv; liveUrl: string }

/** Follows a tutorial in a directory; answers what each command printed beside what the tutorial says. */
export async function follow(
  parts: readonly Part[],
  { directory, environment, liveUrl }: Surroundings,
): Promise<Followed[]> {
  const bin = join(directory, 'bin')
  writeProgram(
    join(bin, 'npx'),
    `shift; exec "${process.execPath}" "${join(root, 'packages/node/bin/understudy.js')}" "$@"`,
  )
  const tools = join(root, 'clients/foundry/node_modules/.bin')
  const shell = openShell(directory, { ...environment, PATH: [bin, tools, environment.PATH].join(delimiter) })
  const followed: Followed[] = []
  let run: CommandRun | undefined
  let url = ''
  try {
    for (const part of parts) {
      if ('file' in part) {
        mkdirSync(dirname(join(directory, part.file)), { recursive: true })
        writeFileSync(join(directory, part.file), part.text)
        continue
      }
      const { command, printed } = part
      const starting = /^npx understudy ((?:start|serve)\b.*)$/.exec(command)
      if (starting) {
        run?.child.kill('SIGINT')
        await run?.ended
        const words = starting[1]?.replace('https://your-rpc.example', liveUrl).split(' ') ?? []
        run = runCommand([...words, '--port', url === '' ? '0' : new URL(url).port], directory)
        url = await run.listening
      } else if (!command.startsWith('npm install ')) {
        const output = await shell.run(command.replaceAll('http://127.0.0.1:8545', url))
        followed.push({ command, printed, output: output.map((line) => line.replaceAll(url, 'http://127.0.0.1:8545')) })
      }
    }
  } finally {
    shell.close()
    run?.child.kill('SIGTERM')
    await run?.ended
  }
  return followed
}

export type Followed = Step & { output: string[] }

/** What a tutorial says, with what was printed instead of each `…`. */
export function expectedOf({ printed, output }: Followed): string[] {
  return printed.map((line, at) => {
    const [before = '', after] = line.split('…')
    const actual = output[at] ?? ''
    return after !== undefined && actual.startsWith(before) && actual.endsWith(after) ? actual : line
  })
}

function writeProgram(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** One shell for a whole tutorial: what a command sets, later ones use. */
function openShell(directory: string, environment: NodeJS.ProcessEnv) {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: directory,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // With a group of its own, it ends with what it has started.
    detached: true,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const end = '--- end of a command'
  child.stdin.write('set -o pipefail\n')
  return {
    /** The lines that a command prints. Throws what it complains about if it fails. */
    async run(command: string): Promise<string[]> {
      complaints = ''
      child.stdin.write(`${command}\necho "${end} $?"\n`)
      const printed: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`The shell ended: ${complaints}`)
        if (!value.startsWith(end)) printed.push(value)
        else if (value === `${end} 0`) return printed
        else throw new Error(`${command}\n${printed.join('\n')}\n${complaints}`)
      }
    },
    close() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
      return once(child, 'close')
    },
  }
}
