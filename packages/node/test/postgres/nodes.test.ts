import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil, testAccounts } from '@understudy/testkit'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../startNetwork.ts'
import { dropTestPlace, requireTestPlace } from '../testDatabase.ts'
import { type NodeProcess, startNode } from './startNodes.ts'

const place = requireTestPlace()

describe('three nodes of one network', () => {
  let anvil: Anvil
  let directory: string
  let nodes: NodeProcess[]
  let sealer: NodeProcess
  let reader: NodeProcess
  let other: NodeProcess
  beforeAll(async () => {
    anvil = await startAnvil({})
    directory = mkdtempSync(join(tmpdir(), 'understudy-nodes-'))
    sealer = await startNode(place, anvil, directory)
    ;[reader, other] = await Promise.all([startNode(place, anvil, directory), startNode(place, anvil, directory)])
    nodes = [sealer, reader, other]
  }, 60_000)
  afterAll(async () => {
    for (const node of nodes ?? []) node.signal('SIGKILL')
    await Promise.all((nodes ?? []).map(({ ended }) => ended))
    await anvil?.stop()
    await dropTestPlace(place)
    if (directory) rmSync(directory, { recursive: true, force: true })
  })

  it('have one that seals, which the others name', async () => {
    const [first, ...others] = await Promise.all(nodes.map((node) => node.status()))
    expect(first).toMatchObject({ role: 'sealer', sealer: sealer.url })
    for (const status of others) expect(status).toMatchObject({ role: 'reader', sealer: sealer.url })
  })

  it('read on a reader what was written through it, at once', async () => {
    const hash = await reader.client.sendTransaction({ to: testAccounts[3].address, value: parseEther('1') })
    expect(await reader.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await reader.client.getBalance({ address: testAccounts[3].address })).toBe(parseEther('10001'))
    await eventually(
      () => other.client.getBalance({ address: testAccounts[3].address }),
      (balance) => balance === parseEther('10001'),
    )
  })
})
