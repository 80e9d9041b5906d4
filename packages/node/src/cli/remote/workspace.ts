import { readFile } from 'node:fs/promises'
import { given } from './arguments.ts'
import type { CommandGroup } from './command.ts'

export const workspace: CommandGroup = {
  name: 'workspace',
  summary: 'attach dashboards to wallets, contracts and ABIs',
  commands: [
    {
      usage: 'add <name> [address]',
      summary: 'add a workspace for an address, an address and an ABI, or only an ABI',
      options: [
        ['--abi <FILE>', 'a file with a JSON ABI, or an artifact that contains one'],
        ['--type <TYPE>', 'ERC20 or ERC721'],
      ],
      async run(network, [name, address], { abi, type }) {
        const text = abi === undefined ? undefined : await abiOf(String(abi))
        return network.call('dev_addWorkspace', [given({ name, address, abi: text, type })])
      },
    },
    { usage: 'list', summary: 'list the workspaces', run: (network) => network.call('dev_getWorkspaces') },
    {
      usage: 'show <id>',
      summary: 'print a workspace',
      run: (network, [id]) => network.call('dev_getWorkspace', [id]),
    },
    {
      usage: 'remove <id>',
      summary: 'remove a workspace',
      run: (network, [id]) => network.call('dev_removeWorkspace', [id]),
    },
  ],
}

async function abiOf(file: string): Promise<string> {
  const parsed = JSON.parse(await readFile(file, 'utf8'))
  return JSON.stringify(Array.isArray(parsed) ? parsed : parsed.abi)
}
