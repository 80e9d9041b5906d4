import { expect, it } from 'vitest'
import { hexFromBytes } from '../../src/bytes.ts'
import { delegationTo } from '../fuzz/program.ts'
import { addressOf, callTo, log, sender, traceSmall } from './smallRun.ts'

const [first, second, third, fourth] = [addressOf(1), addressOf(2), addressOf(0xa3), addressOf(0xa4)]

it('shows the delegate of the target alone, as it was before the transaction', async () => {
  const codes = { [first]: `0x${callTo(fourth)}`, [second]: '0x600160005500' } as const
  const delegated = [
    { authority: third, target: first },
    { authority: fourth, target: second },
  ]
  const during = await traceSmall({ codes, to: third, authorizations: delegated }, 'prestateTracer')
  expect(Object.keys(during as object)).toEqual([sender])
  const code = hexFromBytes(delegationTo(first))
  const before = { codes: { ...codes, [third]: code }, to: third }
  expect(await traceSmall(before, 'prestateTracer')).toMatchObject({
    [first]: { code: codes[first] },
    [third]: { code },
  })
  expect(await traceSmall(before, 'prestateTracer', { disableCode: true })).not.toMatchObject({ [third]: { code } })
  const diff = { diffMode: true, disableCode: true }
  const shown = (await traceSmall({ codes, to: third, authorizations: delegated }, 'prestateTracer', diff)) as {
    post: Record<string, unknown>
  }
  expect(shown.post).toMatchObject({
    [third]: { nonce: 1, codeHash: expect.any(String) },
    [fourth]: { storage: expect.any(Object) },
  })
  expect(JSON.stringify(shown)).not.toContain('"code"')
})

it('shows the logs of the frames that succeeded, with their places', async () => {
  const codes = {
    [first]: `0x${log}${callTo(second)}${log}${callTo(third)}${log}`,
    [second]: `0x${log}${callTo(third)}60006000fd`,
    [third]: `0x${log}`,
  } as const
  const trace = await traceSmall({ codes }, 'callTracer', { withLog: true })
  const logAt = (index: number, position: number) =>
    expect.objectContaining({ index: `0x${index}`, position: `0x${position}` })
  expect(trace).toMatchObject({
    logs: [logAt(0, 0), logAt(1, 1), logAt(3, 2)],
    calls: [
      { error: 'execution reverted', calls: [{ to: third }] },
      { to: third, logs: [logAt(2, 0)] },
    ],
  })
  const failed = (trace as { calls: { logs?: unknown; calls: { logs?: unknown }[] }[] }).calls[0]
  expect([failed?.logs, failed?.calls[0]?.logs]).toEqual([undefined, undefined])
})

it('shows a destruction as a call without a result', async () => {
  const trace = await traceSmall({ codes: { [first]: `0x73${third.slice(2)}ff` }, value: 5n }, 'flatCallTracer')
  expect((trace as unknown[])[1]).toEqual({
    type: 'suicide',
    action: { address: first, balance: '0x5', refundAddress: third },
    subtraces: 0,
    traceAddress: [0],
  })
})
