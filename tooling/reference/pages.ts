import { exitCodes } from '../../packages/node/src/cli/ending.ts'
import { environmentName, flagName } from '../../packages/node/src/config/config.ts'
import { type OptionKey, options } from '../../packages/node/src/config/options.ts'
import type { HandlerName, InputGas } from '../../packages/node/src/ethereum/chains/contracts/chainContract.ts'
import { contractsOf, contractsOfProfile } from '../../packages/node/src/ethereum/chains/contracts/contractsOf.ts'
import type { ChainProfile, Stack } from '../../packages/node/src/ethereum/chains/profile.ts'
import { knownProfiles } from '../../packages/node/src/ethereum/chains/profiles.ts'
import type { FeeModel } from '../../packages/node/src/ethereum/fees.ts'
import { hardforkNames, newestStableFork } from '../../packages/node/src/ethereum/rules.ts'
import type { Method } from '../../packages/node/src/rpc/defineMethod.ts'
import { commonErrors } from '../../packages/node/src/rpc/errorGroups.ts'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { describeParams } from '../../packages/node/src/rpc/openRpc.ts'
import type { Topic } from '../../packages/node/src/rpc/topics/defineTopic.ts'
import { topics } from '../../packages/node/src/rpc/topics/index.ts'
import { errorTable } from '../../packages/node/src/shared/errors.ts'
import { slugOf } from '../site/markdown.ts'
import { actions } from './clientModel.ts'
import { codeCell, escapeCell, generated, page, table, toJson } from './markdown.ts'
import { priceRowsTable, pricesTable } from './prices.ts'
import { standInsTable } from './standIns.ts'
import { byTitle, type Io, partsOf, type Schema, schemaOf, structureText, typeText, withoutNull } from './typeText.ts'

/** docs/methods.md */
export function methodsReference(): string {
  const rows = methods.map(({ name, role, summary }) => [`[${name}](#${slugOf(name)})`, role, escapeCell(summary)])
  const types = [...namedTypes()].map(([name, { description, structure }]) => [
    name,
    description === undefined ? codeCell(structure) : escapeCell(description),
  ])
  return page([
    '# Methods',
    generated,
    'JSON-RPC 2.0 by `POST /`, or over a WebSocket at the same address. Parameters are an array, or an object with these names; those with `?` may be left out or `null`. Types are written as in TypeScript: fields with `?` may be missing.',
    'Numbers are 0x-hex, decimal digits or JSON numbers; those of blocks are 0x-hex or JSON numbers. An empty string is no bytes. A field that is not known is refused by its name, except those that clients send to every node, such as the `type` of a call or the fields of a sealed transaction.',
    'Roles: `read` looks, `write` sends and signs, `admin` changes the network.',
    table(['method', 'role', 'what it does'], rows),
    ...methods.flatMap(methodSection),
    '## Subscriptions',
    'What `eth_subscribe` takes. Each notification is `{ jsonrpc, method: "eth_subscription", params: { subscription, result } }`.',
    ...topics.flatMap(topicSection),
    '## Types',
    table(['type', 'what it is'], types),
  ])
}

type ZodType = Parameters<typeof schemaOf>[0]

const textOf = (schema: ZodType, io: Io) => typeText(schemaOf(schema, io), byTitle)

type NamedType = { description: string | undefined; structure: string }

/** The types that have a name, by it. */
export function namedTypes(): Map<string, NamedType> {
  const found = new Map<string, NamedType>()
  const visit = (schema: Schema) => {
    const { title, description } = schema
    if (title !== undefined && !found.has(title))
      found.set(title, { description, structure: structureText(schema, byTitle) })
    for (const part of partsOf(schema)) visit(part)
  }
  for (const { params, result } of methods) {
    for (const schema of Object.values(params)) visit(schemaOf(schema, 'input'))
    visit(schemaOf(result, 'output'))
  }
  for (const { options: topicOptions, result } of topics) {
    visit(schemaOf(topicOptions, 'input'))
    visit(schemaOf(result, 'output'))
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function methodSection(method: Method): string[] {
  const { name, aliases, aliasResults = {}, role, summary, result, example } = method
  const params = describeParams(method)
  const facts = [`Role: \`${role}\`. Result: \`${textOf(result, 'output')}\`.`]
  const called = aliases.map((alias) => {
    const answer = Object.hasOwn(aliasResults, alias) ? ` (result: \`${aliasResults[alias]}\`)` : ''
    return `\`${alias}\`${answer}`
  })
  if (called.length > 0) facts.push(`Also called ${called.join(', ')}.`)
  const action = actions.find((each) => each.method === method)
  const { errors = [] } = method
  if (errors.length > 0)
    facts.push(`Errors: ${errors.map((kind) => `[\`${kind}\`](errors.md#${kind.toLowerCase()})`).join(', ')}.`)
  const list = params.map(({ name: param, isOptional, fallback, description }) => {
    const type = textOf(method.params[param] as ZodType, 'input')
    const byDefault = fallback === undefined ? '' : `, ${toJson(fallback)} when left out`
    return `- \`${param}${isOptional ? '?' : ''}\`: \`${isOptional ? withoutNull(type) : type}\`${byDefault}${description === undefined ? '' : `. ${description}`}`
  })
  for (const { name: field, text } of action?.spread ?? []) list.push(`  - \`${field}\`: ${text}`)
  const lines = [`→ ${toJson({ method: name, params: example.params })}`, `← ${toJson(example.result)}`]
  return [
    `### ${name}`,
    summary,
    facts.join(' '),
    ...(list.length > 0 ? [list.join('\n')] : []),
    ['```', ...lines, '```'].join('\n'),
  ]
}

function topicSection({ name, summary, options, result, example }: Topic): string[] {
  const params = example.options === undefined ? [name] : [name, example.options]
  const lines = [`→ ${toJson({ method: 'eth_subscribe', params })}`, `← ${toJson(example.result)}`]
  const type = withoutNull(textOf(options, 'input'))
  return [
    `### ${name}`,
    summary,
    `Options: ${type === 'Record<string, never>' ? 'none' : `\`${type}\``}. Result: \`${textOf(result, 'output')}\`.`,
    ['```', ...lines, '```'].join('\n'),
  ]
}

/** docs/errors.md */
export function errorsReference(): string {
  const rows = Object.entries(errorTable).map(([kind, { code, message }]) => [
    `<a id="${kind.toLowerCase()}"></a>\`${kind}\``,
    String(code),
    escapeCell(message),
  ])
  return page([
    '# Errors',
    generated,
    'An error is `{ code, message, data }`. `data` holds `kind` and the details that fill the message, numbers beyond 2^53 in decimal digits;',
    'of a revert (code 3) it is the return data as hex, as tools expect it; methods of our own have that in `data.data`, beside the kind. Match on `code` and `data.kind`, never on the message.',
    'If a method of our own fails because a contract failed, `data.stackTrace` says where, as [`dev_getStackTrace`](methods.md) does: the innermost 50 entries, with their lines where the contracts were [imported](import.md#find-the-line-that-failed). The errors of `eth_call` and `eth_estimateGas` are those of the specification; the line is logged.',
    'Methods of `eth_`, `debug_`, `net_`, `txpool_` and `web3_` leave the kind out of errors that every node has, such as `INVALID_PARAMS`, `NONCE_TOO_LOW` and `BLOCK_NOT_FOUND`: test suites compare whole errors.',
    'Unexpected errors (-32603) name an id, under which the log has the stack.',
    table(['kind', 'code', 'message'], rows),
    '## Errors of every method',
    'The [reference](methods.md) lists the errors of each method. Beside them, every method may have these:',
    Object.entries(commonErrors)
      .map(
        ([cause, kinds]) => `- ${cause}: ${kinds.map((kind) => `[\`${kind}\`](#${kind.toLowerCase()})`).join(', ')}.`,
      )
      .join('\n'),
  ])
}

/** docs/options.md */
export function optionsReference(): string {
  const keys = Object.keys(options) as OptionKey[]
  const groups = [...new Set(keys.map((key) => options[key].group))]
  const sections = groups.flatMap((group) => [
    `## ${group}`,
    table(
      ['option', 'environment', 'default', 'what it does'],
      keys.filter((key) => options[key].group === group).map(optionRow),
    ),
  ])
  const codes: Record<keyof typeof exitCodes, string> = {
    done: 'it did what was asked, or was stopped by SIGINT or SIGTERM',
    failed: 'it could not start (upstream down, port or data directory in use…), or it failed',
    usage: 'the options or the environment are not right',
    killed: 'a second signal ended it before it had stopped',
  }
  return page([
    '# Options of `understudy start`',
    generated,
    'Flags win over the environment, and that over `understudy.config.json` (or `--config FILE`), which has options by these names without the dashes: `{ "fork-url": "https://rpc.example" }`. A list in the environment is separated by commas, headers by line breaks; a switch is `true` or `false`.',
    ...sections,
    '## Exit codes',
    table(
      ['code', 'meaning'],
      Object.entries(exitCodes).map(([name, code]) => [String(code), codes[name as keyof typeof codes]]),
    ),
  ])
}

function optionRow(key: OptionKey): string[] {
  const { placeholder, defaultText, description } = options[key]
  const flag = placeholder ? `${flagName(key)} ${placeholder}` : flagName(key)
  const repeatable = 'repeatable' in options[key] ? ' Repeatable.' : ''
  return [codeCell(flag), `\`${environmentName(key)}\``, escapeCell(defaultText), escapeCell(description + repeatable)]
}

const stackNames: Record<Stack, string> = {
  ethereum: 'Ethereum',
  optimism: 'OP Stack',
  arbitrum: 'Arbitrum',
  eravm: 'EraVM: refused',
}

function feesText({ type }: FeeModel): string {
  if (type === 'optimism') return 'EIP-1559, with the parameters of `extraData`'
  return type === 'steady' ? "the live head's" : 'EIP-1559'
}

type Likeness = { ids?: readonly number[]; stack?: Stack; here: string; not: string }

/** What blocks of this network have of each chain, and what not: the first that names a chain or its stack counts. */
const likenesses: readonly Likeness[] = [
  {
    ids: [42_220],
    here: 'the same parts as on the OP Stack; transfers by the token of CELO (0xfd)',
    not: 'transactions of type 0x7b, whose fees are paid in tokens; the exact gas of what 0xfd makes warm',
  },
  {
    ids: [8_453, 84_532],
    here: 'the same parts as on other chains of the OP Stack; balances, allowances and transfers of B20 tokens',
    not: 'the limit of Jovian on the data of a block; deposits from L1; creating, minting, burning and seizing B20 tokens, their `permit`, roles and policies, which are refused; the exact gas of these contracts',
  },
  {
    ids: [4_326],
    here: 'the same parts as on the OP Stack',
    not: 'its gas for storage, whose price depends on how full the state is: a warning says so',
  },
  {
    stack: 'optimism',
    here: "base fee (Holocene, Jovian's minimum); L1 fee (Fjord) and operator fee (Isthmus, Jovian): taken before the transaction runs, required by the pool, with their fields in receipts, and in blocks that run again; the vaults; `GasPriceOracle`, whose code and values are the live chain's; deposits of live blocks in traces, and their encoding",
    not: 'the limit of Jovian on the data of a block; deposits from L1',
  },
  {
    stack: 'arbitrum',
    here: 'base fee of the head; `NUMBER` and `BLOCKHASH` by the blocks of L1, and `l1BlockNumber` in blocks and receipts; `ArbSys` by the blocks of this network, `ArbInfo` by its state, and views of the other contracts of ArbOS',
    not: 'gas of calldata on L1: neither charged nor estimated (`gasUsedForL1` is 0); the share of tips; the changes of other methods of the contracts of ArbOS (`ArbAddressTable.register`, redeems), which are refused; messages to L1: `sendTxToL1` and `withdrawEth` burn the ether and emit `L2ToL1Tx`, without a tree of sends, and nothing can be claimed with it; the exact gas of these contracts; Stylus',
  },
  {
    ids: [100],
    here: 'base fee between two heads (EIP-1559)',
    not: 'the collector of base fees, which are burned here; rewards of blocks',
  },
  {
    ids: [137, 80_002],
    here: 'base fee of the head; the difficulty of its headers',
    not: 'its fee market between two heads; the logs of fees and transfers at 0x1010; state syncs from Ethereum',
  },
  {
    ids: [56, 97],
    here: 'base fee of the head; the difficulty of its headers; its own precompiles, which the live chain answers',
    not: 'system transactions at the end of a block; changes of CAS20 tokens (Jenner), which are refused, and the exact gas of these contracts; what the double-sign evidence at 0x68 costs for each byte since Jenner; the lane of payments',
  },
  {
    ids: [43_114],
    here: 'base fee of the head; the difficulty of its headers; the last settled block (Helicon), which is `safe` and `finalized`, as many blocks behind as on the live chain',
    not: 'its fee market between two heads; imports and exports between its chains; the Warp precompile; blocks that are accepted and not executed yet (Helicon)',
  },
  {
    ids: [59_144, 59_141],
    here: 'base fee of the head',
    not: 'prices for data on L1, which its nodes suggest as a tip; the limits of its prover',
  },
  {
    ids: [534_352, 534_351],
    here: 'base fee of the head',
    not: 'its L1 fee: neither charged nor shown in receipts; messages from L1',
  },
  { ids: [5_000], here: 'base fee of the head', not: 'its L1 and operator fees; deposits from L1' },
  {
    ids: [80_094],
    here: 'base fee of the head',
    not: 'its fee market between two heads; the distribution of rewards at the start of a block',
  },
  {
    ids: [146],
    here: 'base fee of the head',
    not: 'its fee market between two heads; the charge for gas that is not used; internal transactions',
  },
  {
    ids: [143],
    here: 'base fee of the head; views of staking',
    not: 'the charge for the whole gas limit; the prices of pages of slots and of memory (MIP-8, MIP-3); reserve balances; changes of stakes, which are refused',
  },
  {
    ids: [4_217],
    here: 'base fee of the head',
    not: 'fees in tokens; its transactions of type 0x76; the price of the first transaction of an account; its precompiles',
  },
  {
    ids: [5_042],
    here: 'base fee of the head',
    not: 'its fee market between two heads; what USDC at 0x3600000000000000000000000000000000000000 does beside its code',
  },
  {
    ids: [999],
    here: 'base fee of the head; what reads HyperCore, which the live chain answers as it is there',
    not: 'its blocks of two sizes; what the contract does that writes to HyperCore',
  },
  { stack: 'eravm', here: 'refused at the start', not: 'everything: EraVM is not an EVM' },
  {
    stack: 'ethereum',
    here: 'base fee and blob price between two heads; upgrades when the live chain has them; the system contracts of EIP-2935 and EIP-4788; requests of validators and builders that are made here (EIP-7002, 7251, 8282)',
    not: 'withdrawals and deposits of validators (EIP-4895, 6110)',
  },
]

/** What answers for a contract without code beside the live chain. */
const handlerTexts: Record<HandlerName, string> = {
  arbSys: 'the network by its blocks',
  arbInfo: 'the network by its state',
  b20Token: 'the network for balances, allowances and transfers, and the live chain for other views',
  bnbTime: 'the network: the time of the block in milliseconds',
  celoTransfer: 'the network, for the token of CELO',
}

const answererTexts: Record<string, string> = { liveChain: 'the live chain', refused: 'nothing: it is gone' }

const dateText = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`

function gasText({ base, perByte, perOutputByte, perItem }: InputGas): string {
  const bytes = perByte ? [`${perByte} for each byte${perOutputByte ? ' of input and output' : ''}`] : []
  const items = perItem ? [`${perItem.gas} for each ${perItem.bytes} bytes after the first ${perItem.after}`] : []
  return [`${base} gas`, ...bytes, ...items].join(' and ')
}

/** A row for each contract without code. */
function contractRows(): string {
  const chainIds = [8_453, 42_161, 42_220, 143, 56, 97, 999]
  const rows = chainIds.flatMap((chainId) => {
    const of = (other: ChainProfile) => contractsOf(contractsOfProfile(other, other.stack))
    const own = knownProfiles.find((profile) => profile.chainId === chainId) as ChainProfile
    const chains = knownProfiles.filter(
      (profile) => of(profile).list.length > 0 && of(profile).list[0] === of(own).list[0],
    )
    return of(own).list.map(({ name, at, answeredBy, gas, since = 0 }) => {
      const by = answererTexts[answeredBy] ?? handlerTexts[answeredBy as HandlerName]
      const address = at.length === 42 ? at.replace(/^0x0{30,}/, '0x') : `${at}…`
      const cells = [
        chains.map((profile) => profile.name).join(', '),
        name,
        `\`${address}\``,
        `${by}${gas ? `, for ${gasText(gas)}` : ''}${since > 0 ? `, since ${dateText(since)}` : ''}`,
      ]
      return `| ${cells.join(' | ')} |`
    })
  })
  return rows.join('\n')
}

/** A row for the chains of each likeness. */
function likenessRows(): string {
  const names = new Map<Likeness, string[]>(likenesses.map((likeness) => [likeness, []]))
  for (const { chainId, name, stack } of knownProfiles) {
    const likeness = likenesses.find((it) => it.ids?.includes(chainId) || it.stack === stack) as Likeness
    names.get(likeness)?.push(name)
  }
  return [...names].map(([{ here, not }, chains]) => `| ${chains.join(', ')} | ${here} | ${not} |`).join('\n')
}

/** docs/chains.md */
export async function chainsReference(): Promise<string> {
  const rows = knownProfiles.map(({ chainId, name, currency, stack, fees, blockTimeMs }) => {
    const seconds = blockTimeMs === undefined ? '' : `${blockTimeMs / 1000} s`
    return `| ${name} | ${chainId} | ${currency.symbol} | ${stackNames[stack]} | ${stack === 'eravm' ? '' : feesText(fees)} | ${seconds} |`
  })
  return `# Chains

${generated}

This page lists the chains that the network knows, explains how it finds the rules of any other chain, and says which parts of each chain are simulated. Names, currencies and block times come from \`viem/chains\`, but for the block times of Base and BNB Smart Chain, which became faster since.

| chain | id | currency | stack | base fee between two heads | block time |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## How rules are found

\`dev_getNetworkInfo\`, \`understudy status\`, the dashboard and the banner show the hardfork and its source. The first source of this list that has an answer decides:

1. \`option\`: \`--hardfork\`.
2. \`profile\`: the \`hardfork\` of the file of \`--chain-profile\`.
3. \`probe\`: one \`eth_call\` tries the features of each fork (PUSH0, TLOAD, MCOPY, CLZ, SLOTNUM, the precompiles 0x0a, 0x0b and 0x100). The answer shows the fork, precompiles that differ from Ethereum's, and the gas of P256VERIFY. The call is sent together with the other requests of the start. Hardforks of Ethereum that only change blobs are told apart by \`eth_config\`, or else by their dates.
4. \`eth_config\` (EIP-7910), if upstream accepts no code in a call, and if the header has the fields of that fork.
5. \`schedule\`: the dates of Ethereum, Sepolia, Holesky and Hoodi, if upstream shows nothing and the header has the fields of the fork that they name. They also decide for blocks that are older than the first rules that were found.
6. \`header\`: the newest fork whose header fields the newest block has, but at least Cancun for a block of this year on a chain without dates. The log warns about this source.
7. \`default\`: Osaka, for a network that forks no chain.

The network stores the rules that it found. It asks again when the headers of the live chain get or lose a field, when the fields or a date name another fork than the one in force, at the time that \`eth_config\` names for a change, and every ten minutes. So a date that was moved or withdrawn, or an upgrade that this version does not know, does no harm. New rules hold from the block that showed them, also if the live chain takes an upgrade back. Older blocks keep their rules. A change is logged as a warning and pushed to \`dev_network\`.

If the header, \`eth_config\` or the dates name another hardfork for more than one block, the rules of the probe stay in force, and \`rules.disagreement\` of \`dev_getNetworkInfo\` and \`understudy status\` show the other one. Blocks of this network have the header fields of the live chain up to those of Prague in any case. The log warns about later fields that they lack.

The network refuses to start on a chain whose hardfork it does not know, and on chains of EraVM.

## Prices

A chain may charge other gas than the hardfork that it runs. The calls that find the rules also measure the gas of operations, transactions and precompiles, in the same round trip: code that reads GAS before and after (\`eth_call\` with code and storage that hold for the call), and what transactions use (\`eth_simulateV1\`). The network runs the same code, finds the prices by which it takes the same gas, and runs blocks by them. \`rules.prices\` of \`dev_getNetworkInfo\` has every price, and \`rules.pricing\` has those that differ from the hardfork's and how they are known: \`measured\`, \`profile\` (the file of \`--chain-profile\`, which wins, or the table below, which stands in for what is not measured) or \`fork\`. \`understudy status\` shows them too.

Prices are measured at the start, again after ten minutes, then daily, and whenever the rules are asked for because a field or a date does not fit. A change is told as a change of the rules is, with each price before and after. Prices are measured with \`--hardfork\`, too; \`--prices fork\` takes the hardfork's own.

- If upstream takes no code in a call, the prices are those of the table, or else the hardfork's, and \`rules.pricing.source\` says so. Without \`eth_simulateV1\`, \`refundClear\`, \`floorToken\`, \`transactionValue\` and the prices of access lists and authorizations are not measured, nor those of authorizations where the node leaves them out of a simulation.
- \`rules.pricing.unmeasured\` names what was not measured, and \`rules.pricing.odd\` what no plain numbers explain, such as one price for several slots. No call shows \`slotState\` and \`codeByteState\` apart from \`sstoreSet\` and \`codeByte\`, which are found as the sum of both; and \`refundSelfdestruct\` ended with London, before which no node simulates transactions. The log warns about the latter, and \`understudy fidelity\` names it: gas of it differs here.
- A precompile costs \`base\`, \`perWord\` for each word of its input, and \`factor\` times its price on Ethereum. Each is measured with two inputs. Point evaluation (0x0a) has one size, so its \`base\` alone is measured, with a valid proof. Some nodes take seconds for their first one, so it has a request of its own: not at the start, but when prices are measured after ten minutes and daily. Until then, and if there is no answer within 20 seconds, \`rules.pricing.unmeasured\` names it, and the price that was measured before, of the table or of the hardfork is in force.

All prices are in gas.

${pricesTable()}

What is known of chains before they are asked:

${priceRowsTable()}

What is found at the start on a stand-in of each chain, a network that has the prices of these rows and shows nothing else, by the rules of ${newestStableFork}:

${await standInsTable()}

The precompiles of BNB Smart Chain (0x66 to 0x70) have their prices, with their dates, in the table of [contracts without code](#contracts-without-code). No other prices than Ethereum's were found in public sources for Base, Gnosis, Celo, Avalanche, Arc, HyperEVM and Robinhood Chain: they are measured as all others are.

## Simulated parts of each chain

On every chain, the network runs the opcodes and precompiles of the chain's fork. A block that follows a new live head has the base fee, gas limit and blob price of that head. The suggested tip is computed from recent live blocks. Blocks, transactions and receipts of the live chain pass through unchanged, with the fields that only this chain has. Blocks of this network have \`timestampMs\` where live blocks have it, and their transactions, receipts and logs \`blockTimestampMs\`. Its part below the second is that of the live head, which contracts can read on Base, so that blocks of this network that share a timestamp may share \`timestampMs\`, too. Raw encodings come from upstream, or are made from upstream's JSON if the hashes prove that they are right. Consensus is not simulated: a block of this network has one coinbase, and no uncles.

| chains | simulated here | not simulated |
| --- | --- | --- |
${likenessRows()}

On Ethereum, a block takes the requests of validators from the queues of their contracts (EIP-7002, EIP-7251) and, from Amsterdam on, the requests of builders (EIP-8282). Its \`requestsHash\` commits to them. A queue is emptied on this network after a transaction of this network has written to the queue; requests that the live chain had in the queue at that time are included. All other queues follow the live chain, and their requests are in the live chain's blocks only.

## Contracts without code

Some contracts of a chain have no code: its nodes run them themselves. At these addresses, the live chain answers views at the base of the network, also for contracts that call them, and the network answers what depends on its own state.

| chains | contract | address | answered by |
| --- | --- | --- | --- |
${contractRows()}

- An address that ends with \`…\` is a prefix: all addresses that begin so.
- What would write is refused: the call reverts with a text that names the function. So is a function that is not known here, unless STATICCALL calls it, which cannot write.
- The live chain is asked without a sender, on its own state. A view that depends on its caller, on local changes, or on the block of this network therefore has the answer that the live chain has.
- An answer holds for the block of the base at which it was asked, and is stored: traces, restarts without the live chain and recordings have it. Of stored answers, at most 32 MB are kept, those of the newest blocks.
- A call may ask at most 64 such questions of at most 32 KB, and no answer may have more than 1 MB.
- Code and balance of the address are those of the live chain. \`EXTCODESIZE\` of most of them is 0, of a B20 token 1. \`dev_setCode\` has no effect on what they answer; function overrides and the state overrides of a call have.
- A B20 token keeps balances and allowances in slots, as \`base.b20\` (ERC-7201) lays them out, so \`dev_setERC20Balance\`, \`dev_setERC20Allowance\` and \`dev_followTokenBalance\` work. The policies of a token are those of the live chain.
- \`dev_getContractAbi\` knows the ABIs of all, with the source \`chain\`.

## Amsterdam

\`--hardfork amsterdam\` runs the fork that Sepolia runs since October 2026 (execution-specs tests@v21.0.1): EIP-2780, 7708, 7778, 7843, 7928, 7954, 7976, 7981, 7997, 8024, 8037, 8038 and 8246, without the check of EIP-7610. Sepolia's Amsterdam began at 1791294816. [\`understudy forecast\`](forecast.md) runs recent transactions by its rules and says which of your contracts break.

- Estimates include regular gas and state gas. A gas limit above 16 777 216 is for state gas, and is at most 4 294 967 295 (EIP-8037).
- Slot numbers (EIP-7843) follow the live chain, with 12 seconds for each slot. If the live chain has no slots, the numbers count from the first block of this network.
- Block access lists (EIP-7928) are made for this network's blocks: \`eth_getBlockAccessList\`. The lists also name the target of a contract creation that fails at once because of its balance, depth or nonce.

Transactions of other types than Ethereum's cannot be sent here, except deposits of the OP Stack (type \`0x7e\`) with \`--accept-deposits\`: \`eth_sendRawTransaction\` takes deposits unsigned, mints their ether, and puts them first in the block. With API keys, deposits need the role admin, as \`dev_setBalance\` does. Live transactions of types that cannot run here are shown, and are skipped when another transaction of their block is traced.

## Compare with the live chain

\`understudy fidelity\` (\`dev_checkFidelity\`, and a panel of the dashboard) takes the newest blocks of the live chain, and runs each of their transactions on the state before that transaction. The command compares status, gas, logs and the base fee, and the root of receipts of a block if all of its transactions can run here. If upstream has \`debug_traceBlockByNumber\`, one trace of each block gives the state. The network also runs this check once in the background after its first start, with \`--check-fidelity\` transactions.

| cause | meaning |
| --- | --- |
| \`rule\` | the transaction has the live result by the rules of another fork, which is named; or no fork makes the transaction valid; or code uses another amount of gas, while transactions without code use the same |
| \`fee\` | the sender cannot pay on this network, or the base fee does not follow from the previous block |
| \`precompile\` | the transaction calls an address at which the chain may have a precompile of its own |
| \`state\` | before the transaction, the live chain had other values than result when its blocks run here |
| \`earlier\` | an earlier transaction of the block differs, and upstream's traces do not show the state after that transaction on the live chain |
| \`unknown\` | another cause, such as gas for data on L1 |

Transactions of types that cannot run here are counted by their type (\`passed\`). On Arbitrum, most transactions differ in \`gasUsed\`, because the live chain adds gas for data on L1.

## A profile of your own

\`--chain-profile FILE\` takes JSON:

| field | meaning |
| --- | --- |
| \`chainId\`, \`name\` | required |
| \`currency\` | \`{ "name", "symbol", "decimals" }\`; Ether by default |
| \`stack\` | \`ethereum\` (default), \`optimism\` or \`arbitrum\` |
| \`fees\` | \`{ "type": "steady" }\`, \`{ "type": "optimism" }\`, or \`{ "type": "eip1559", "denominator", "elasticity", "minimum" }\`; the default depends on the stack |
| \`hardfork\` | one of ${hardforkNames.map((name) => `\`${name}\``).join(', ')}; without this field, the network finds the hardfork as above |
| \`prices\` | those that differ from the hardfork's, by the names of [prices](#prices), and \`"precompiles": { "0x…": { "base", "perWord", "perByte", "factor" } }\`. They are not measured |
| \`blockTimeMs\`, \`explorer\` | shown only |
| \`contracts\` | contracts without code, at most 16: \`{ "name", "address" or "prefix", "abi", "answeredBy" }\`. \`answeredBy\` is \`liveChain\`, which needs an \`abi\` (JSON, or lines of Solidity) that says which functions are views, or \`refused\`: every call reverts. They come before those of the chain |

\`\`\`json
{
  "chainId": 4663,
  "name": "Robinhood Chain",
  "stack": "arbitrum",
  "contracts": [
    {
      "name": "Oracle",
      "address": "0x0000000000000000000000000000000000000900",
      "abi": ["function price(bytes32 feed) view returns (uint256)"],
      "answeredBy": "liveChain"
    },
    { "name": "Bridges", "prefix": "0xb1d6", "answeredBy": "refused" }
  ]
}
\`\`\`
`
}
