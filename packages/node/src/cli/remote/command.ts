import { type Command, Option } from 'commander'
import { options as startOptions } from '../../config/options.ts'
import { formatResult } from './format.ts'
import { connectTo, type RemoteNetwork } from './network.ts'

/** A command for a running network. */
export type RemoteCommand = {
  /** The name, and the arguments in commander's syntax: `<needed>`, `[optional]`, `<several...>`. */
  usage: string
  /** One line without a full stop. */
  summary: string
  options?: readonly (readonly [flags: string, description: string])[]
  /** Lines below the help. */
  examples?: readonly string[]
  /** Runs the command and returns the value that `--json` prints. `args` are in order; missing ones are `undefined`. */
  run(network: RemoteNetwork, args: readonly Argument[], options: Given): Promise<unknown>
  /** Formats the result for a terminal; by default according to its structure. */
  show?(result: never): string
}

/** A group of subcommands. */
export type CommandGroup = { name: string; summary: string; commands: readonly RemoteCommand[] }

/** Option values as strings, by camel-case name. */
export type Given = Readonly<Record<string, string | string[] | boolean | undefined>>

/** A missing optional argument is `undefined`. */
export type Argument = string & string[]

const defaultUrl = `http://127.0.0.1:${startOptions.port.default}`

/** Adds a command to a parent; `print` receives its output. */
export function addRemoteCommand(parent: Command, remote: RemoteCommand, print: (text: string) => void): Command {
  const command = parent
    .command(remote.usage)
    .summary(remote.summary)
    .description(sentence(remote.summary))
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
  for (const [flags, description] of remote.options ?? []) command.option(flags, description)
  addNetworkOptions(command).option('--json', 'print the result as JSON')
  if (remote.examples) command.addHelpText('after', ['\nExamples:', ...remote.examples].join('\n  '))
  command.action(async () => {
    const given = command.opts<Given>()
    const { url, apiKey } = networkOf(given)
    const network = connectTo(url, apiKey)
    const result = await remote.run(network, command.processedArgs as Argument[], given)
    if (given.json) return print(`${JSON.stringify(result, null, 2)}\n`)
    const text = remote.show ? remote.show(result as never) : formatResult(result)
    if (text !== '') print(`${text}\n`)
  })
  return command
}

/** Adds the options that say which network. */
export function addNetworkOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--rpc-url <URL>', `where the network listens (default: ${defaultUrl})`).env('UNDERSTUDY_RPC_URL'),
    )
    .addOption(new Option('--api-key <KEY>', 'an API key, if the network requires one').env('UNDERSTUDY_API_KEY'))
}

/** The network that these options name. */
export function networkOf({ rpcUrl, apiKey }: Given): { url: string; apiKey: string | undefined } {
  return { url: String(rpcUrl ?? defaultUrl), apiKey: apiKey?.toString() }
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
