import { type Command, Option } from 'commander'
import { flagName } from '../config/config.ts'
import { type OptionKey, options } from '../config/options.ts'

/** Values from the command line, by option, as strings. */
export type Flags = Partial<Record<OptionKey, string | string[] | boolean>>

const keys = Object.keys(options) as OptionKey[]

/** Adds all options of `start`. */
export function addStartOptions(command: Command): void {
  for (const key of keys) command.addOption(startOption(key))
  addConfigOption(command)
}

export function addConfigOption(command: Command): Command {
  return command.addOption(
    new Option('--config <FILE>', 'a file with options (default: understudy.config.json, if it exists)').helpGroup(
      'Operation:',
    ),
  )
}

/** An option of `start`, for a command that takes it, too. */
export function startOption(key: OptionKey): Option {
  const row: {
    placeholder: string | undefined
    preset?: string
    repeatable?: true
    defaultText: string
    description: string
    group: string
  } = options[key]
  const value = row.preset === undefined ? `<${row.placeholder}>` : `[${row.placeholder}]`
  const flags = row.placeholder ? `${flagName(key)} ${value}` : flagName(key)
  const byDefault = row.placeholder ? ` (default: ${row.defaultText})` : ''
  const option = new Option(flags, row.description.replace(/\.$/, '') + byDefault).helpGroup(`${row.group}:`)
  if (row.preset !== undefined) option.preset(row.preset)
  if (row.repeatable) option.argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), value])
  return option
}

/** The options of `start` that the command line sets. */
export function givenFlags(command: Command): Flags {
  const flags: Flags = {}
  for (const option of command.options) {
    const name = option.attributeName()
    const key = keys.find((each) => flagName(each) === option.long)
    if (key && command.getOptionValueSource(name) === 'cli') flags[key] = command.getOptionValue(name)
  }
  return flags
}
