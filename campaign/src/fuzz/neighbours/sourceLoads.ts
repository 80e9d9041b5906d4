import { type Hex, numberToHex } from 'viem'
import { ask } from '../answers.ts'
import { assemble } from '../contracts/assemble.ts'
import { type Load, post, rpc } from './loads.ts'

/** Calls itself with half of its gas, writes a slot, and reverts; with an operation for each byte of the largest code. */
const code: Hex = `${assemble('0x01 PUSH0 SSTORE PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS 0x02 GAS DIV CALL PUSH0 PUSH0 REVERT')}${'5b'.repeat(24_000)}`
const targets: Hex[] = Array.from({ length: 200 }, (_, index) => numberToHex(0xc0de00 + index, { size: 20 }))

/** Calls each of the targets, and fails. */
const caller = assemble(
  `${targets.map((target) => `PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ${target} 0xffff CALL POP`).join(' ')} PUSH0 PUSH0 REVERT`,
)
const callerAddress: Hex = '0x00000000000000000000000000000000000c0de6'

const megabyte = 1_000_000
const type = (label: string, more: object) => ({ encoding: 'inplace', label, numberOfBytes: '32', ...more })
const variable = (name: string) => ({ label: 'x', slot: '0', offset: 0, type: name })

/** A layout of types that hold each other, and as many bytes as are taken. */
const layout = {
  storage: [variable('t0')],
  types: Object.fromEntries(
    Array.from({ length: 7000 }, (_, index) => [`t${index}`, type('struct', { members: [variable(`t${index + 1}`)] })]),
  ),
}
Object.assign(layout.types, { t7000: type('uint256', {}) })

/** `fill`: what each entry of the maps is. */
const imported = (fill: string, source: string) => ({
  name: 'Hostile',
  abi: '[]',
  bytecode: code,
  source,
  sourcePath: `../../${'<script>'.repeat(100)}\u001b[2J`,
  storageLayout: layout,
  lines: {
    files: Array.from({ length: 5000 }, (_, index) => `${'../'.repeat(50)}${index}\u0007.sol`),
    functions: Array.from({ length: 3000 }, (_, index) => `${'f'.repeat(900)}${index}`),
    runtime: `0:1:0:i;${fill.repeat(Math.floor((4 * megabyte - 10) / fill.length))}`,
    creation: ';'.repeat(4 * megabyte),
  },
})

const importHostile = (url: string, fill: string, source: string) =>
  ask(url, 'dev_importContracts', [{ contracts: [imported(fill, source)] }])

async function deploy(url: string): Promise<void> {
  for (const target of targets) await ask(url, 'dev_setCode', [target, code])
  await ask(url, 'dev_setCode', [callerAddress, caller])
  const answer = await importHostile(url, ';', 'x'.repeat(10 * megabyte))
  if (answer.error) throw new Error(`The import was refused: ${answer.error.message}`)
}

const requests = {
  dev_getStackTrace: [{ to: targets[0], gas: '0x1c9c380' }],
  dev_getGasProfile: [{ to: callerAddress, gas: '0x1c9c380' }],
  dev_getSlotHistory: [targets[0], '0x0', { lines: true }],
  dev_getContractSources: [targets[0]],
}

/** Contracts whose sources, maps and layouts are as large and wrong as an import takes them. */
export const sourceLoads: readonly Load[] = [
  {
    name: 'imports of hostile sources',
    async run(url, signal) {
      const contract = imported('9999999:-1:99999:i;', `${'function f() {} '.repeat(600_000)}${Math.random()}`)
      await post(url, rpc('dev_importContracts', [{ contracts: [contract] }]), signal)
    },
  },
  ...Object.entries(requests).map(
    ([method, params]): Load => ({
      name: `${method} of hostile sources`,
      prepare: deploy,
      run: (url, signal) => post(url, rpc(method, params), signal),
    }),
  ),
  ...[1, 2, 5, 40].map(
    (count): Load => ({
      name: `${count} debug session${count === 1 ? '' : 's'} of hostile sources`,
      prepare: deploy,
      run: (url, signal) => Promise.all(Array.from({ length: count }, () => debug(url, signal))),
    }),
  ),
]

/** Opens a session, steps to its end and back, and closes it. */
async function debug(url: string, signal: AbortSignal): Promise<void> {
  const { result, error } = await ask(url, 'dev_debugOpen', [{ to: targets[0], gas: '0x1c9c380' }])
  // More sessions than a node has at a time.
  if (error) return
  const { id } = result as { id: string }
  for (const params of [
    [id, 'write'],
    [id, 'end'],
    [id, 'over', true],
  ])
    await post(url, rpc('dev_debugStep', params), signal)
  await post(url, rpc('dev_debugVariables', [id]), signal)
  // Also when the load ends, so that the next one has room.
  await ask(url, 'dev_debugClose', [id])
}
