import { CommanderError } from 'commander'
import { version } from '../app/version.ts'
import { type Config, configFromSources } from '../config/config.ts'
import { options } from '../config/options.ts'
import { isNetworkError } from '../shared/errors.ts'
import { loadConfigFile } from './configFile.ts'
import { exitCodes } from './ending.ts'
import { problemJson, problemText } from './problem.ts'
import { createProgram } from './program.ts'
import type { AfterCommand } from './start.ts'
import type { Flags } from './startOptions.ts'

/** Runs the command line and returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.done
  const start = async (
    flags: Flags,
    configFile: string | undefined,
    command?: readonly string[],
    afterCommand?: AfterCommand,
  ) => {
    const config = configFromSources(flags, process.env, loadConfigFile(configFile))
    // Loaded on demand, so that help and usage errors are fast.
    const { startNetwork } = await import('./start.ts')
    code = await (command ? startNetwork(forOneCommand(config), command, afterCommand) : startNetwork(config))
  }
  const program = createProgram(
    version,
    start,
    (text) => process.stdout.write(text),
    (failed) => {
      code = failed
    },
    async (file) => {
      const { serve } = await import('./serve.ts')
      code = await serve(file)
    },
  )
  if (argv.length <= 2) {
    program.outputHelp()
    return code
  }
  try {
    await program.parseAsync(argv)
    return code
  } catch (error) {
    // Commander has already printed the problem, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    process.stderr.write(`${argv.includes('--json') ? problemJson(error) : problemText(error)}\n`)
    return isNetworkError(error, 'CONFIG_INVALID') ? exitCodes.usage : exitCodes.failed
  }
}

/** Unless a data directory or a database was chosen, a network for one command is gone after it. */
function forOneCommand(config: Config): Config {
  const { databaseUrl, dataDirectory } = config
  const isKept = databaseUrl !== undefined || dataDirectory !== options.dataDirectory.default
  return { ...config, ephemeral: !isKept }
}

void main(process.argv).then((code) => process.exit(code))
