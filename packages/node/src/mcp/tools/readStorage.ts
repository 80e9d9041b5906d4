import type { Result } from '@understudy/client/methods'
import { z } from 'zod'
import { getSlotHistory as getSlotHistoryMethod } from '../../rpc/methods/dev/getSlotHistory.ts'
import { getWorkspaceStorage as getWorkspaceStorageMethod } from '../../rpc/methods/dev/getWorkspaceStorage.ts'
import { NetworkError } from '../../shared/errors.ts'
import { addressOf } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Contract } from '../inputs.ts'
import type { ToolNetwork } from '../toolNetwork.ts'
import { locationText } from '../transactions.ts'

export const readStorage = defineTool({
  name: 'read_storage',
  methods: [getWorkspaceStorageMethod, getSlotHistoryMethod],
  example: exampleOf(getWorkspaceStorageMethod, ([contract, { path }]) => ({ contract, path })),
  description:
    'Variables have the transaction that last wrote them. For the changes of a slot, pass slot; they have the line that wrote it.',
  effect: 'reads',
  input: {
    contract: Contract.describe('a contract with a workspace: its address, name or workspace id'),
    path: z.string().max(500).optional().describe('a variable: owner, balances[0x…].amount, items[2]'),
    slot: z.string().max(80).optional().describe('a slot as a decimal or 0x-hex number, for its history'),
  },
  hasPages: true,
  async run(network, { contract, path, slot }, { cursor }) {
    const page = { limit: 50, ...(cursor !== undefined && { cursor }) }
    if (slot !== undefined) {
      const address = await addressOf(network, 'contract', contract)
      const { items, next } = await network.call('dev_getSlotHistory', address, slot, { ...page, lines: true })
      const changes = items.map(({ line, ...change }) => ({
        ...change,
        line: line && locationText({ ...line, message: null }),
      }))
      return {
        fields: { address, slot, dashboard: network.link(`/address/${address}`) },
        list: { name: 'changes', items: changes, next },
      }
    }
    const id = await workspaceOf(network, contract)
    const { layout, entry, entries, next } = await network.call('dev_getWorkspaceStorage', id, {
      ...page,
      ...(path !== undefined && { path }),
    })
    return {
      fields: {
        workspace: id,
        layout: layout?.contract ?? 'none: only slots that were written here are listed',
        variable: entry && variableOf(entry as Entry),
        dashboard: network.link(`/workspace/${id}`),
      },
      list: { name: 'variables', items: (entries as Entry[]).map(variableOf), next },
    }
  },
})

type Entry = Result<'dev_getWorkspaceStorage'>['entries'][number]

function variableOf({ path, type, slot, value, origin, upstreamValue, length, lastWriter, parts }: Entry) {
  const inner = parts && (parts.entries as unknown as Entry[]).map(({ path, value }) => ({ path, value }))
  return { path, type, value, length, slot, origin, liveValue: upstreamValue, lastWriter, parts: inner }
}

async function workspaceOf(network: ToolNetwork, text: string): Promise<string> {
  const workspaces = await network.call('dev_getWorkspaces')
  const wanted = text.toLowerCase()
  const found = workspaces.find(({ id, name, address }) =>
    [id, name, address].some((each) => each?.toLowerCase() === wanted),
  )
  if (found) return found.id
  const problem =
    'no workspace has this contract. Pass slot for the history of a slot, or add it in the dashboard or with dev_addWorkspace'
  throw new NetworkError('INVALID_PARAMS', { field: 'contract', problem })
}
