import type { Result } from '@understudy/client/methods'
import type { CommandGroup } from './command.ts'
import { formatTable } from './format.ts'

export const override: CommandGroup = {
  name: 'override',
  summary: 'make contract functions return the values that you want',
  commands: [
    {
      usage: 'add <contract> <function> <values...>',
      summary: 'override a function to return these values, one for each output',
      options: [['--input <VALUES...>', 'apply only to calls with exactly these inputs (default: any inputs)']],
      examples: [
        "understudy override add 0x5f4e… 'function latestAnswer() view returns (int256)' 150000000000",
        "understudy override add 0xa0b8… 'function balanceOf(address) view returns (uint256)' 7 --input 0xd8da…",
      ],
      run: (network, [contractAddress, functionAbi, returnValues], { input }) =>
        network.call('dev_addFunctionOverride', [
          { contractAddress, functionAbi, returnValues, ...(input !== undefined && { inputParams: input }) },
        ]),
    },
    {
      usage: 'update <id> <values...>',
      summary: 'change the return values of an override',
      run: (network, [id, values]) => network.call('dev_updateFunctionOverride', [id, values]),
    },
    {
      usage: 'enable <id>',
      summary: 'enable an override',
      run: (network, [id]) => network.call('dev_enableFunctionOverride', [id]),
    },
    {
      usage: 'disable <id>',
      summary: 'disable an override without removing it',
      run: (network, [id]) => network.call('dev_disableFunctionOverride', [id]),
    },
    {
      usage: 'remove <id>',
      summary: 'remove an override',
      run: (network, [id]) => network.call('dev_removeFunctionOverride', [id]),
    },
    {
      usage: 'list [contract]',
      summary: 'list the overrides of one contract or of all, newest first',
      run: (network, [contract]) =>
        contract === undefined
          ? network.call('dev_getFunctionOverrides')
          : network.call('dev_getFunctionOverridesByContract', [contract]),
      show: (overrides: Result<'dev_getFunctionOverrides'>) =>
        formatTable(
          overrides.map((each) => ({ ...each, function: nameOf(each.functionAbi), contract: each.contractAddress })),
          ['id', 'contract', 'function', 'inputParams', 'returnValues', 'enabled'],
        ),
    },
  ],
}

function nameOf(functionAbi: string): string {
  return (JSON.parse(functionAbi) as { name: string }).name
}
