import type { Command } from 'commander'
import { addNetworkOptions, type Given, networkOf } from '../remote/command.ts'
import { connectTo } from '../remote/network.ts'

const examples = [
  'understudy debug 0xa0df…                          as an editor starts it',
  'understudy debug --rpc-url http://127.0.0.1:8545  the editor names the transaction',
]

/** Adds `debug`, which editors start. Only the protocol is written to stdout. */
export function addDebugCommand(program: Command): Command {
  const command = program
    .command('debug [transaction]')
    .summary('step through a transaction in an editor, over the Debug Adapter Protocol')
    .description(
      'Speaks the Debug Adapter Protocol on stdin and stdout, so that an editor steps through a transaction. See docs/debugging.md for the configuration of editors.',
    )
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  '))
  addNetworkOptions(command)
  command.action(async (transaction: string | undefined) => {
    // Loaded on demand, so that other commands start fast.
    const { serveDebugAdapter } = await import('./adapter.ts')
    const given = command.opts<Given>()
    await serveDebugAdapter({
      input: process.stdin,
      write: (text) => process.stdout.write(text),
      log: (text) => process.stderr.write(text),
      connect: (launch) => {
        const { url, apiKey } = networkOf({ ...given, ...launch })
        return connectTo(url, apiKey)
      },
      transaction,
    })
    // The last response may still be on its way.
    await new Promise((resolve) => process.stdout.write('', resolve))
  })
  return command
}
