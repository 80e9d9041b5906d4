import type { Simulation } from '@understudy/client/simulations'
import type { Command } from 'commander'
import { problemJson, problemText } from '../problem.ts'
import { addNetworkOptions, type Given, networkOf } from '../remote/command.ts'
import { connectTo } from '../remote/network.ts'
import { type CallOptions, requestFrom } from './simulationRequest.ts'
import { formatSimulation } from './simulationText.ts'

/** So that scripts tell a call that fails from a command that failed. */
const codes = { callFails: 1, failed: 2 } as const

const examples = `
Examples:
  understudy simulate --from 0x7099… --to 0xa0b8… --function "transfer(address,uint256)" --args '["0x3c44…", "2500000"]'
  understudy simulate --from 0x7099… --to 0x3c44… --value 1.5ether
  understudy simulate transaction.json --block 21000000
  understudy simulate 0x02f8b1…                          an encoded transaction, signed or not (then with --from)
  understudy simulate 0xa9059cbb… --from 0x7099… --to 0xa0b8…
  pbpaste | understudy simulate - --share                print the link of a page for your colleagues

INPUT is a file, - for standard input, or the text itself: call data or an encoded transaction in hex, or JSON: a transaction as a
wallet shows it, a list of them, the request of eth_sendTransaction or wallet_sendCalls, a transaction of a Safe as the transaction
service or the transaction builder writes it, or the request of dev_simulate. Options win over what it says.

Exit codes: 0 every call succeeds, 1 a call fails, 2 the command failed.`

type Options = Given & CallOptions & { json?: boolean; save?: boolean; share?: boolean }

/** Adds `simulate`, which says what calls would do. */
export function addSimulateCommand(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command {
  const command = program
    .command('simulate')
    .summary('say what a transaction would do, before anyone signs it')
    .description(
      'Runs calls without changing the network, and says what they would do: the assets that move, the approvals that stay, and for a failure the line; then variables, logs, gas and fees.',
    )
    .argument('[INPUT]', 'what is simulated: a file, -, JSON, or hex; see below')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--from <ADDRESS>', 'the sender, who need not sign (default: that of the input)')
    .option('--to <ADDRESS>', 'the called contract or the receiver')
    .option('--value <AMOUNT>', 'in wei or with a unit: 1.5ether')
    .option('--data <HEX>', 'call data')
    .option('--function <SIGNATURE>', 'the called function, instead of --data: transfer(address,uint256)')
    .option('--args <JSON>', 'its arguments as a JSON array')
    .option('--gas <N>', 'the gas limit')
    .option('--block <BLOCK>', 'the block after which the calls run: a number, a hash or a tag (default: latest)')
    .option('--index <N>', 'run in that block before its transaction of this index')
    .option('--atomic', 'undo all calls if one fails')
    .option('--save', 'keep what each call did, with a page of its own')
    .option('--share', 'the same, for all who may read the network, until it is no longer shared')
  addNetworkOptions(command).option('--json', 'print everything as JSON').addHelpText('after', examples)
  command.action(async (input: string | undefined) => {
    const given = command.opts<Options>()
    try {
      const simulation = await simulate(input, given, print)
      if (simulation.failed !== null) setCode(codes.callFails)
    } catch (error) {
      process.stderr.write(`${given.json ? problemJson(error) : problemText(error)}\n`)
      setCode(codes.failed)
    }
  })
  return command
}

async function simulate(input: string | undefined, given: Options, print: (text: string) => void): Promise<Simulation> {
  const { url, apiKey } = networkOf(given)
  const { json, save, share } = given
  const network = connectTo(url, apiKey)
  const request = await requestFrom(network, input, given)
  const simulation = await network.call('dev_simulate', [{ ...request, ...((save || share) && { save: true }) }])
  const ids = simulation.saved.filter((id) => id !== null)
  if (share) for (const id of ids) await network.call('dev_shareSimulation', [id])
  if (json) print(`${JSON.stringify(simulation, null, 2)}\n`)
  else {
    const { chain } = await network.call('dev_getNetworkInfo')
    const pages = ids.map((id) => `${share ? 'Shared' : 'Saved'}: ${pageOf(url, id)}\n`)
    print(
      `${formatSimulation(simulation, request.calls.length, chain.currency)}\n${pages.length > 0 ? '\n' : ''}${pages.join('')}`,
    )
  }
  return simulation
}

/** The page of a saved simulation. A key in the URL of the network is left out. */
function pageOf(url: string, id: string): string {
  const page = new URL(url)
  page.pathname = `${page.pathname.replace(/\/rpc\/[^/]+$/, '').replace(/\/$/, '')}/simulation/${id}`
  page.search = ''
  return page.href
}
