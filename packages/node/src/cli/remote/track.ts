import { type Result, trackedTypes } from '@understudy/client/methods'
import { given, wholeNumberFrom } from './arguments.ts'
import type { CommandGroup, Given } from './command.ts'
import { formatTable } from './format.ts'

const itemOptions = [
  ['--abi <ABI>', 'the function: a signature or a JSON ABI'],
  ['--args <JSON>', 'the arguments as a JSON array; the holder of a token balance, or the slot of a variable'],
  ['--path <PATH>', 'the part of a struct or tuple to record, such as info.balance'],
  ['--trigger <WHEN>', 'every-tx (the default), every-n-blocks or cron'],
  ['--every <N>', 'blocks for every-n-blocks, seconds for cron'],
  ['--tag <TAGS...>', 'tags to filter by'],
] as const

export const track: CommandGroup = {
  name: 'track',
  summary: 'record balances, slots and function results over time',
  commands: [
    {
      usage: 'add <address> <type>',
      summary: `track a value of an address: ${trackedTypes.join(', ')}`,
      options: [['--name <NAME>', 'the display name (default: the type)'], ...itemOptions],
      examples: [
        'understudy track add 0xd8da… native-token-balance --name Vault',
        `understudy track add 0xa0b8… erc20-balance --args '["0xd8da…"]'`,
        "understudy track add 0x5f4e… function-result --abi 'function latestAnswer() view returns (int256)'",
      ],
      run: (network, [address, type], options) =>
        network.call('dev_addTrackedData', [{ name: options.name ?? type, address, type, ...itemFields(options) }]),
    },
    {
      usage: 'update <id>',
      summary: 'change a tracked item; changing what is tracked clears its history',
      options: [['--name <NAME>', 'the display name'], ['--address <ADDRESS>', 'another address'], ...itemOptions],
      run: (network, [id], options) =>
        network.call('dev_updateTrackedData', [
          id,
          given({ name: options.name, address: options.address, ...itemFields(options) }),
        ]),
    },
    {
      usage: 'list',
      summary: 'list the tracked items with their latest values',
      options: [
        ['--address <ADDRESS>', 'only items of an address'],
        ['--tag <TAG>', 'only items with a tag'],
      ],
      run: (network, _, { address, tag }) =>
        network.call('dev_getTrackedData', [given({ address, tag, withValues: true })]),
      show: (items: Result<'dev_getTrackedData'>) =>
        formatTable(
          items.map((item) => ({ ...item, value: item.latestValue?.value, block: item.latestValue?.blockNumber })),
          ['id', 'name', 'type', 'address', 'recordTrigger', 'value', 'block'],
        ),
    },
    {
      usage: 'values <id>',
      summary: 'print the recorded values of an item, oldest first',
      options: [
        ['--period <PERIOD>', 'a trailing window: 10min, 1h, 1d, 1w or 1m'],
        ['--max-block <N>', 'only values up to this block'],
      ],
      run: (network, [id], { period, maxBlock }) =>
        network.call('dev_getTrackedDataValues', [
          id,
          given({
            period,
            maxBlockNumber: maxBlock === undefined ? undefined : wholeNumberFrom('--max-block', String(maxBlock)),
          }),
        ]),
      show: ({ values }: Result<'dev_getTrackedDataValues'>) =>
        formatTable(values, ['timestamp', 'blockNumber', 'value', 'txHash']),
    },
    {
      usage: 'remove <id>',
      summary: 'remove a tracked item and its recorded values',
      run: (network, [id]) => network.call('dev_removeTrackedData', [id]),
    },
  ],
}

function itemFields({ abi, args, path, trigger, every, tag }: Given) {
  return given({
    functionAbi: abi,
    functionArgs: args,
    functionOutputPath: path,
    recordTrigger: trigger,
    trackingFrequency: every === undefined ? undefined : wholeNumberFrom('--every', String(every), 1),
    tags: tag,
  })
}
