import { testAccounts } from '@understudy/testkit'
import { type Hex, numberToHex, toEventSelector, toFunctionSelector } from 'viem'
import { type Answered, ask } from '../answers.ts'
import { assemble } from '../contracts/assemble.ts'
import { type Load, post, rpc } from './loads.ts'

const from = testAccounts[0].address
const to: Hex = '0x00000000000000000000000000000000000c0de7'
const megabyte = numberToHex(2 ** 20, { size: 4 })
const addressesFrom = (first: number, count: number): Hex[] =>
  Array.from({ length: count }, (_, index) => numberToHex(first + index, { size: 20 }))

const transfer = toFunctionSelector('transfer(address,uint256)')
const transferEvent = toEventSelector('Transfer(address,address,uint256)')
const tokens = addressesFrom(0xc0ffee00, 100)
/** A token whose `transfer` emits that 100 were moved, and which does something else for all other functions. */
const tokenThat = (otherwise: string): Hex =>
  assemble(
    `PUSH0 CALLDATALOAD 0xe0 SHR ${transfer} EQ @move JUMPI ${otherwise} move: 0x64 PUSH0 MSTORE ${to} ${from} ${transferEvent} 0x20 PUSH0 LOG3 0x01 PUSH0 MSTORE 0x20 PUSH0 RETURN`,
  )
/** Calls `transfer` of all tokens. */
const movesTokens = assemble(
  `${transfer} 0xe0 SHL PUSH0 MSTORE ${tokens.map((token) => `PUSH0 PUSH0 0x44 PUSH0 PUSH0 ${token} 0xffff CALL POP`).join(' ')} STOP`,
)

const hostileTokens = {
  'burn all their gas in symbol()': tokenThat('again: @again JUMP'),
  'revert in symbol()': tokenThat('PUSH0 PUSH0 REVERT'),
  'lie about balances': tokenThat('GAS PUSH0 MSTORE 0x20 PUSH0 RETURN'),
  'return a megabyte as their symbol': tokenThat(
    `0x20 PUSH0 MSTORE ${megabyte} 0x20 MSTORE 0x41 0x40 MSTORE8 ${megabyte} 0x40 ADD PUSH0 RETURN`,
  ),
  'claim that their symbol is endless': tokenThat(
    `0x20 PUSH0 MSTORE 0x${'f'.repeat(64)} 0x20 MSTORE 0x0100 PUSH0 RETURN`,
  ),
}

const programs = {
  '10 MB of logs': assemble(`${`${megabyte} PUSH0 LOG0 `.repeat(10)} STOP`),
  '100 000 empty logs': assemble('0x00 again: PUSH0 PUSH0 LOG0 0x01 ADD 0x0186a0 DUP2 LT @again JUMPI STOP'),
  '50 000 calls': assemble(
    '0x00 again: PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 0x0bad PUSH0 CALL POP 0x01 ADD 0xc350 DUP2 LT @again JUMPI STOP',
  ),
  '3 000 changed slots': assemble('0x00 again: 0x01 ADD DUP1 DUP1 SSTORE 0x0bb8 DUP2 LT @again JUMPI STOP'),
  '30 000 transfers of one token': assemble(
    `0x64 PUSH0 MSTORE 0x00 again: ${from} DUP2 ${transferEvent} 0x20 PUSH0 LOG3 0x01 ADD 0x7530 DUP2 LT @again JUMPI STOP`,
  ),
}

const call = { from, to }
/** How a simulation may be refused: a limit was exceeded, or its computing time is over. */
const limitExceeded = -32005
const tookTooLong = 'EXECUTION_TOO_LONG'

type Kind = 'dev_simulate' | 'tenderly_simulateTransaction' | 'tenderly_simulateBundle'

const paramsOf = (kind: Kind, count: number, isSaved = false): unknown[] => {
  const calls = Array.from({ length: count }, () => call)
  if (kind === 'dev_simulate') return [{ calls, ...(isSaved && { save: true }) }]
  return kind === 'tenderly_simulateBundle' ? [calls, 'latest'] : [call, 'latest']
}

/** A load that is answered, or refused by the limits of requests: `prepare` says with what. */
function simulation(
  name: string,
  code: Hex,
  { kind = 'dev_simulate', count = 1, isSaved = false }: { kind?: Kind; count?: number; isSaved?: boolean } = {},
): Load {
  const params = paramsOf(kind, count, isSaved)
  return {
    name: `simulates ${name}`,
    async prepare(url) {
      await setCode(url, to, code)
      requireBounded(await ask(url, kind, params))
    },
    run: (url, signal) => post(url, rpc(kind, params), signal),
  }
}

const withTokens = (load: Load, code: Hex): Load => ({
  ...load,
  async prepare(url) {
    await Promise.all(tokens.map((token) => setCode(url, token, code)))
    await load.prepare?.(url)
  },
})

const setCode = async (url: string, address: Hex, code: Hex) => {
  const { error } = await ask(url, 'dev_setCode', [address, code])
  if (error) throw new Error(error.message)
}

function requireBounded({ error }: Answered): void {
  if (!error || error.code === limitExceeded) return
  const { kind } = (error.data ?? {}) as { kind?: string }
  if (kind !== tookTooLong) throw new Error(`The simulation was refused: ${JSON.stringify(error)}`)
}

/** Simulations whose answers are as large, as long to look up or as wrong as a contract can make them. */
export const simulationLoads: readonly Load[] = [
  ...Object.entries(programs).map(([what, code]) => simulation(what, code)),
  ...Object.entries(hostileTokens).map(([what, code]) =>
    withTokens(simulation(`moves of 100 tokens that ${what}`, movesTokens), code),
  ),
  withTokens(
    simulation('a bundle of 1000 calls, each of 100 tokens', movesTokens, {
      kind: 'tenderly_simulateBundle',
      count: 1000,
    }),
    hostileTokens['lie about balances'],
  ),
  simulation('a bundle of 1000 calls that emit a log', assemble('PUSH0 PUSH0 LOG0 STOP'), {
    kind: 'tenderly_simulateBundle',
    count: 1000,
  }),
  simulation('50 000 calls as Tenderly has them', programs['50 000 calls'], { kind: 'tenderly_simulateTransaction' }),
  simulation('10 MB of logs as Tenderly has them', programs['10 MB of logs'], { kind: 'tenderly_simulateTransaction' }),
  simulation('and stores 10 MB of logs', programs['10 MB of logs'], { isSaved: true }),
  simulation('and stores 50 000 calls', programs['50 000 calls'], { isSaved: true }),
]
