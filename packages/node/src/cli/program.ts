import { Command } from 'commander'
import { environmentName } from '../config/config.ts'
import { addAuditCommands } from './audit.ts'
import { addBacktestCommand } from './backtest/backtestCommand.ts'
import { addDivergencesCommand } from './backtest/divergencesCommand.ts'
import { addCheckUpstreamCommand } from './checkUpstream/checkUpstreamCommand.ts'
import { addDatabaseCommands } from './db.ts'
import { addDebugCommand } from './debug/debugCommand.ts'
import { addForecastCommand } from './forecast/forecastCommand.ts'
import { push } from './push/push.ts'
import { addRecordingCommands } from './recording.ts'
import { addCommandGroup, addRemoteCommand } from './remote/command.ts'
import { coverage } from './remote/coverage.ts'
import { fidelity } from './remote/fidelity.ts'
import { follow, unfollow } from './remote/follow.ts'
import { impersonate } from './remote/impersonate.ts'
import { addMcpCommand } from './remote/mcp.ts'
import { mine } from './remote/mine.ts'
import { override } from './remote/override.ts'
import { state, wipe } from './remote/state.ts'
import { accounts, status } from './remote/status.ts'
import { track } from './remote/track.ts'
import { tx } from './remote/tx.ts'
import { workspace } from './remote/workspace.ts'
import { addReportCommand } from './report/reportCommand.ts'
import { addSimulateCommand } from './simulate/simulateCommand.ts'
import type { AfterCommand } from './start.ts'
import { addStartOptions, type Flags, givenFlags } from './startOptions.ts'

const introduction = 'A forked EVM test network that stays in sync with a live chain and keeps your changes.'

const examples = `
Examples:
  understudy start                                    fork the built-in sample chain
  understudy start --fork-url https://rpc.example     fork a live chain at its head
  understudy start --fork-url URL --chain-id 73571    fork it under another chain id
  understudy start --help                             all options
  understudy check-upstream URL                       check what an endpoint supports
  understudy serve --config FILE                      several networks behind one port
  understudy status                                   show the status of a running network
  understudy push                                     upload your compiled contracts
  understudy report                                   collect what an issue about a fault needs

Commands other than start, serve, record, recording, check-upstream, backtest, db and audit talk to the network at --rpc-url (or UNDERSTUDY_RPC_URL, or the default port of this machine),
with --api-key if it requires a key; --json prints the answers as JSON.`

/** Commands for a running network, in the order of the help. */
const single = [status, accounts, mine, push, coverage, fidelity]
const groups = [tx, state, follow, unfollow, override, track, impersonate, workspace, wipe]

const afterOptions = `
Every option can also be set in the environment: --fork-url is ${environmentName('forkUrls')}, and so on; flags win.
A file understudy.config.json in the directory of the start, or --config FILE, sets options by their names: { "fork-url": "…" }.

Exit codes: 0 stopped by SIGINT or SIGTERM, 1 could not start or failed, 2 wrong options, 130 killed by a second signal.`

const recordExamples = `
Examples:
  understudy record --output fork.gz --fork-url https://rpc.example -- npm test
  understudy record --from fork.gz --offline -- npm test`

const serveExample = `
Example of FILE:
  {
    "options": { "port": 8545, "data-dir": "/var/lib/understudy" },
    "networks": { "mainnet": { "fork-url": "https://…" }, "base": { "fork-url": "https://…", "chain-id": 73571 } },
    "keys": [{ "key": "…", "role": "admin", "network-limit": 5, "disk-limit": 500, "rate-limit": 100, "key-computing": 30 }],
    "sleep-after": 600
  }

The options are those of understudy start, by the names of their flags: under "options" for all networks, under "networks" for one.
Those under "options" can also be set in the environment, which wins: UNDERSTUDY_PORT, UNDERSTUDY_DATABASE_URL.
A network without fork-url forks nothing. See docs/serve.md.`

/** The command line. `start` gets the flags as strings; its result sets the exit code. */
export function createProgram(
  version: string,
  start: (
    flags: Flags,
    configFile: string | undefined,
    command?: readonly string[],
    afterCommand?: AfterCommand,
  ) => Promise<void>,
  print: (text: string) => void,
  setCode: (code: number) => void,
  serve: (file: string) => Promise<void>,
): Command {
  const program = new Command('understudy')
    .description(introduction)
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', examples)
  const command = program
    .command('start')
    .summary('start a network')
    .description('Starts a network, or continues the one in the data directory, until it is stopped with Ctrl+C.')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .addHelpText('after', afterOptions)
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
  addStartOptions(command)
  command.action(() => start(givenFlags(command), command.opts<{ config?: string }>().config))
  const record = program
    .command('record')
    .summary('record what a command reads from the live chain')
    .description(
      'Starts a network, runs a command with its URL in UNDERSTUDY_RPC_URL and ETH_RPC_URL, and records what is read from the live chain. Exits with the code of the command. With --from FILE and --offline, the command gets the recorded answers.',
    )
    .helpOption('-h, --help', 'print this help')
    .argument('<COMMAND...>', 'the command and its arguments, after --')
    .option('--output <FILE>', 'where to record; with --extend, the recording to extend')
    .addHelpText('after', recordExamples)
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
  addStartOptions(record)
  record.action((words: string[]) => {
    const { output, config } = record.opts<{ output?: string; config?: string }>()
    const flags = givenFlags(record)
    if (output === undefined && flags.from === undefined) record.error("error: required option '--output <FILE>'")
    const file = output === undefined ? {} : flags.extend ? { from: output } : { record: output }
    return start({ ...ownPort(), ...flags, ...file }, config, words)
  })
  const several = program
    .command('serve')
    .summary('start several networks behind one port')
    .description(
      'Serves several networks behind one port, each at /n/NAME, until it is stopped with Ctrl+C. Networks sleep while no client uses them. Calls make and remove others.',
    )
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--config <FILE>', 'JSON file with the networks, the options of all of them, and the API keys')
    .allowExcessArguments(false)
    .addHelpText('after', serveExample)
  several.action(() => serve(several.opts<{ config: string }>().config))
  const others = [
    several,
    record,
    ...addRecordingCommands(program, print, setCode),
    ...addDatabaseCommands(program, print),
    ...addAuditCommands(program, print),
    addCheckUpstreamCommand(program, print, setCode),
    addBacktestCommand(program, print, setCode),
    addDivergencesCommand(program, print, setCode),
    addDebugCommand(program),
    addReportCommand(program, version, print, setCode, (flags, configFile, words, afterCommand) =>
      start({ ...ownPort(), ...flags }, configFile, words, afterCommand),
    ),
    ...single.map((each) => addRemoteCommand(program, each, print)),
    addSimulateCommand(program, print, setCode),
    addForecastCommand(program, print, setCode),
    addMcpCommand(program, print),
    ...groups.flatMap((group) => addCommandGroup(program, group, print)),
  ]
  for (const each of [program, command, ...others])
    each.exitOverride().showHelpAfterError(`(see: ${commandPath(each)} --help)`)
  return program
}

/** Networks for one command listen on a free port, unless the environment names one. */
const ownPort = (): Flags => ({ port: process.env[environmentName('port')] ?? '0' })

function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name()
}
