import { type Command, Option } from 'commander'
import { options as startOptions } from '../../config/options.ts'
import { formatResult } from './format.ts'
import { connectTo, type RemoteNetwork } from './network.ts'

/** A command that talks to a running network. */
export type RemoteCommand = {
  /** The name, and the arguments as commander writes them: `<needed>`, `[optional]`, `<several...>`. */
  usage: string
  /** One line, without a full stop. */
  summary: string
  options?: readonly (readonly [flags: string, description: string])[]
  /** Lines below the help. */
  examples?: readonly string[]
  /** Does it, and answers what `--json` prints. `args` are in their order; those left out are `undefined`. */
  run(network: RemoteNetwork, args: readonly Argument[], options: Given): Promise<unknown>
  /** The result as people read it; when left out, by its shape. */
  show?(result: never): string
}

/** Commands under one word. */
export type CommandGroup = { name: string; summary: string; commands: readonly RemoteCommand[] }

/** Values of options by their names in camel case, as they were typed. */
export type Given = Readonly<Record<string, string | string[] | boolean | undefined>>

/** What stands in for a missing optional argument is `undefined`. */
export type Argument = string & string[]

const defaultUrl = `http://127.0.0.1:${startOptions.port.default}`

/** Adds a command to a parent; `print` takes what it has to say. */
export function addRemoteCommand(parent: Command, remote: RemoteCommand, print: (text: string) => void): Command {
  const command = parent
    .command(remote.usage)
    .summary(remote.summary)
    .description(sentence(remote.summary))
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
  for (const [flags, description] of remote.options ?? []) command.option(flags, description)
  command
    .addOption(
      new Option('--rpc-url <URL>', `where the network listens (default: ${defaultUrl})`).env('UNDERSTUDY_RPC_URL'),
    )
    .addOption(new Option('--api-key <KEY>', 'a key of the network, when it asks for one').env('UNDERSTUDY_API_KEY'))
    .option('--json', 'print the result as JSON')
  if (remote.examples) command.addHelpText('after', ['\nExamples:', ...remote.examples].join('\n  '))
  command.action(async () => {
    const given = command.opts<Given>()
    const network = connectTo(String(given.rpcUrl ?? defaultUrl), given.apiKey?.toString())
    const result = await remote.run(network, command.processedArgs as Argument[], given)
    if (given.json) return print(`${JSON.stringify(result, null, 2)}\n`)
    const text = remote.show ? remote.show(result as never) : formatResult(result)
    if (text !== '') print(`${text}\n`)
  })
  return command
}

export function addCommandGroup(program: Command, group: CommandGroup, print: (text: string) => void): Command[] {
  const parent = program
    .command(group.name)
    .summary(group.summary)
    .description(sentence(group.summary))
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  return [parent, ...group.commands.map((command) => addRemoteCommand(parent, command, print))]
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
