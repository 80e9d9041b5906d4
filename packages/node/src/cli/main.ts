import { CommanderError } from 'commander'
import { version } from '../app/version.ts'
import { configFromSources } from '../config/config.ts'
import { isNetworkError } from '../shared/errors.ts'
import { loadConfigFile } from './configFile.ts'
import { exitCodes } from './exitCodes.ts'
import { problemJson, problemText } from './problem.ts'
import { createProgram, type Flags } from './program.ts'

/** Runs the command line and returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.done
  const start = async (flags: Flags, configFile: string | undefined) => {
    const config = configFromSources(flags, process.env, loadConfigFile(configFile))
    // Loaded on demand, so that help and usage errors are fast.
    const { startNetwork } = await import('./start.ts')
    code = await startNetwork(config)
  }
  const program = createProgram(version, start, (text) => process.stdout.write(text))
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

void main(process.argv).then((code) => process.exit(code))
