import { readFile, writeFile } from 'node:fs/promises'
import { given, weiFrom } from './arguments.ts'
import type { CommandGroup } from './command.ts'

export const state: CommandGroup = {
  name: 'state',
  summary: 'write balances, nonces, code and storage; save and restore states',
  commands: [
    {
      usage: 'balance <address> <amount>',
      summary: 'set a balance, in wei or with a unit: 1.5ether',
      run: (network, [address, amount]) => network.call('dev_setBalance', [address, weiFrom(amount ?? '')]),
    },
    {
      usage: 'token-balance <holder> <token> <amount>',
      summary: "set a token balance, in the token's smallest unit",
      run: (network, [holder, token, amount]) => network.call('dev_setERC20Balance', [holder, token, amount]),
    },
    {
      usage: 'nonce <address> <nonce>',
      summary: 'set a nonce',
      run: (network, [address, nonce]) => network.call('dev_setNonce', [address, nonce]),
    },
    {
      usage: 'code <address> <bytecode>',
      summary: 'set the code of an account, as 0x-hex',
      run: (network, [address, bytecode]) => network.call('dev_setCode', [address, bytecode]),
    },
    {
      usage: 'storage <address> <slot> <value>',
      summary: 'set a storage slot, by number or key, to 32 bytes of 0x-hex',
      run: (network, [address, slot, value]) => network.call('dev_setStorageAt', [address, slot, value]),
    },
    {
      usage: 'resync <address>',
      summary: 'clear the local state of an account, so that it reads the live chain',
      run: (network, [address]) => network.call('dev_resyncAccount', [address]),
    },
    {
      usage: 'snapshot',
      summary: 'take a snapshot, and print its id for revert',
      run: (network) => network.call('evm_snapshot'),
    },
    {
      usage: 'revert <id>',
      summary: 'revert to a snapshot; deletes it and later ones',
      run: async (network, [id]) => ({ reverted: await network.call('evm_revert', [id]) }),
    },
    {
      usage: 'dump <file>',
      summary: "write every account that differs from the live chain to a file, in anvil's format",
      async run(network, [file]) {
        const dump = await network.call<string>('anvil_dumpState')
        const bytes = Buffer.from(dump.slice(2), 'hex')
        await writeFile(String(file), bytes)
        return { file: String(file), bytes: bytes.length }
      },
    },
    {
      usage: 'load <file>',
      summary: 'write the accounts of a dump over those of the network',
      async run(network, [file]) {
        const bytes = await readFile(String(file))
        await network.call('anvil_loadState', [`0x${bytes.toString('hex')}`])
        return { file: String(file), loaded: true }
      },
    },
  ],
}

export const wipe: CommandGroup = {
  name: 'wipe',
  summary: 'clear all local state',
  commands: [
    {
      usage: 'now',
      summary: 'wipe now',
      options: [['--router <ADDRESSES...>', 'spenders whose Permit2 allowances are kept']],
      run: (network, _, { router }) => network.call('mock_wipeLocalState', [given({ routers: router })]),
    },
    {
      usage: 'schedule',
      summary: 'print or change the schedule of wipes',
      options: [
        ['--every <MS>', 'milliseconds between two wipes, or never'],
        ['--on-startup <BOOLEAN>', 'wipe at each startup: true or false'],
        ['--router <ADDRESSES...>', 'spenders whose Permit2 allowances are kept'],
      ],
      run(network, _, { every, onStartup, router }) {
        const changes = given({
          intervalMs: every === undefined ? undefined : every === 'never' ? null : Number(every),
          onStartup: onStartup === undefined ? undefined : onStartup === 'true',
          routers: router,
        })
        return Object.keys(changes).length === 0
          ? network.call('mock_getWipeSchedule')
          : network.call('mock_setWipeSchedule', [changes])
      },
    },
  ],
}
