import { Agent, request } from 'node:http'
import { testAccounts } from '@understudy/testkit'
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { WebSocket } from 'ws'
import { ask } from '../answers.ts'
import { assemble } from '../contracts/assemble.ts'
import { hostilePrograms } from '../contracts/programs.ts'

/** What one client does to the network. */
export type Load = {
  name: string
  /** Options of the network. */
  flags?: readonly string[]
  /** What it needs on the network, before its neighbour comes. */
  prepare?(url: string): Promise<void>
  /** Runs until it is answered, or the signal ends it. It is repeated while the load lasts. */
  run(url: string, signal: AbortSignal): Promise<unknown>
}

const contract: Hex = '0x00000000000000000000000000000000000c0de5'
const sender = testAccounts[0].address
/** The most gas of a transaction, in the forks before EIP-7825. */
const transactionGas = 30_000_000

function codeOf(name: string): { code: Hex; data: Hex } {
  const program = hostilePrograms.find((each) => each.name === name)
  if (!program) throw new Error(`No program is called ${name}`)
  return { code: program.code, data: program.data ?? '0x' }
}

type Request = { jsonrpc: '2.0'; id: number; method: string; params: readonly unknown[] }

export const rpc = (method: string, params: readonly unknown[], id = 1): Request => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const callOf = ({ code, data }: { code: Hex; data: Hex }) =>
  rpc('eth_call', [{ from: sender, to: contract, data }, 'latest', { [contract]: { code } }])

const batchOf = (call: Request, count: number) => Array.from({ length: count }, (_, id) => ({ ...call, id }))

/** Sends a body and reads its answer to the end, without keeping it. */
export function post(url: string, body: unknown, signal: AbortSignal, agent?: Agent): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', signal, agent }, (response) => {
      response.resume()
      response.once('close', resolve)
    })
    // The network may refuse, and the load may end: only the neighbour's waiting times count.
    sent.once('error', () => resolve())
    sent.end(JSON.stringify(body))
  })
}

/** Sends a body and leaves before it is answered. */
async function postAndLeave(url: string, body: unknown, signal: AbortSignal): Promise<void> {
  const left = new AbortController()
  const leave = () => left.abort()
  signal.addEventListener('abort', leave, { once: true })
  const timer = setTimeout(leave, 200)
  await post(url, body, left.signal)
  clearTimeout(timer)
  signal.removeEventListener('abort', leave)
}

function overSocket(url: string, body: unknown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const end = () => {
      signal.removeEventListener('abort', end)
      socket.terminate()
      resolve()
    }
    signal.addEventListener('abort', end)
    socket.once('open', () => socket.send(JSON.stringify(body)))
    socket.once('message', end)
    socket.once('error', end)
    socket.once('close', end)
  })
}

/** Sends the same body so many times on each of so many sockets, and waits for the answers. */
async function overSockets(url: string, body: unknown, signal: AbortSignal, sockets: number, times: number) {
  const text = JSON.stringify(body)
  const each = async () => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const end = () => socket.terminate()
    signal.addEventListener('abort', end)
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let answers = 0
    socket.on('message', () => ++answers === times && end())
    socket.once('open', () => {
      for (let count = 0; count < times; count++) socket.send(text)
    })
    await closed
    signal.removeEventListener('abort', end)
  }
  await Promise.all(Array.from({ length: sockets }, each))
}

/** The same over as many HTTP connections, which stay open. */
async function overConnections(url: string, body: unknown, signal: AbortSignal, sockets: number, times: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  await Promise.all(Array.from({ length: sockets * times }, () => post(url, body, signal, agent)))
  agent.destroy()
}

const blockRead = rpc('eth_getBlockByNumber', ['latest', false])
const logs = rpc('eth_getLogs', [{ fromBlock: '0x0' }])

/** Makes blocks whose logs are many. */
async function fillLogs(url: string): Promise<void> {
  for (let block = 0; block < 5; block++) await sendOne(url, manyLogs.code, 1_000_000)
}

const calls = (name: string, program: string, count: number): Load => ({
  name,
  run: (url, signal) => post(url, batchOf(callOf(codeOf(program)), count), signal),
})

/** Four transactions at once, each of which uses all the gas it may have. */
const transactions = (name: string, program: string): Load => ({
  name,
  async prepare(url) {
    await ask(url, 'dev_setCode', [contract, codeOf(program).code])
  },
  async run(url, signal) {
    const { data } = codeOf(program)
    const sends = [0, 1, 2, 3].map((account) =>
      rpc('eth_sendTransaction', [
        { from: testAccounts[account]?.address, to: contract, data, gas: numberToHex(transactionGas) },
      ]),
    )
    await Promise.all(sends.map((send) => post(url, send, signal)))
  },
})

/** Returns 6.8 MB of zeros, which are 13.6 MB of an answer. */
const large = { code: assemble('0x67c280 PUSH0 RETURN'), data: '0x' as Hex }
const manyLogs = { code: assemble('again: PUSH0 PUSH0 LOG0 @again JUMP'), data: '0x' as Hex }

async function fillBlocks(url: string, blocks: number): Promise<void> {
  // Its frames are what traces are made of.
  const code = assemble(
    '0x00 again: PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 DUP6 GAS CALL POP 0x01 ADD 0x64 DUP2 LT @again JUMPI STOP',
  )
  await ask(url, 'dev_setCode', [contract, code])
  for (let block = 0; block < blocks; block++)
    await ask(url, 'eth_sendTransaction', [{ from: sender, to: contract, gas: numberToHex(2_000_000) }])
}

async function sendOne(url: string, code: Hex, gas: number): Promise<Hex> {
  await ask(url, 'dev_setCode', [contract, code])
  const { result } = await ask(url, 'eth_sendTransaction', [{ from: sender, to: contract, gas: numberToHex(gas) }])
  return result as Hex
}

let traced: Hex | undefined
const tuples = (depth: number) => `function f(${'('.repeat(depth)}uint256 a${') a'.repeat(depth)})`

const hostileTracers = {
  'read 8 million digits': "return toContract('0x00', '9'.repeat(8e6))",
  'read digits in a loop': "for (;;) { try { toContract('0x00', '9'.repeat(1e5)) } catch {} }",
  'hash 20 MB': "return toContract2('0x0', '0x0', new Uint8Array(2e7))",
  'never end': 'for (;;);',
  'compute where no clock is read': 'return [].lastIndexOf.call({ length: 1e15 }, 1)',
  'read slot after slot': "for (let slot = 0; ; slot++) db.getState('0x00', '0x' + slot.toString(16))",
  'return 30 MB': "return 'x'.repeat(3e7)",
}

/** Tracers in JavaScript, where a thread runs them among other things, and where one is started for them. */
const tracerLoads = Object.entries(hostileTracers).flatMap(([what, code]) =>
  [0, 1].map(
    (workers): Load => ({
      name: `4 tracers that ${what}, ${workers} workers`,
      flags: ['--workers', `${workers}`],
      run(url, signal) {
        const config = { tracer: `{ fault() {}, result(ctx, db) { ${code} } }` }
        const trace = rpc('debug_traceCall', [{ to: contract }, 'latest', config])
        return Promise.all([1, 2, 3, 4].map(() => post(url, trace, signal)))
      },
    }),
  ),
)

/** Everything that one client did to stop others, by its name. */
export const loads: readonly Load[] = [
  ...tracerLoads,
  { name: 'nothing', run: (_url, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)) },
  {
    name: 'a batch of 12 keccak loops, whose client leaves',
    run: (url, signal) => postAndLeave(url, batchOf(callOf(codeOf('hashes much')), 12), signal),
  },
  calls('100 endless loops in a batch', 'loops', 100),
  calls('BLAKE2F, most rounds', 'calls blake2f, most rounds', 1),
  {
    name: 'BLAKE2F, 99 million rounds',
    run: (url, signal) =>
      post(
        url,
        rpc('eth_call', [{ to: numberToHex(9, { size: 20 }), data: `0x05e69ec0${'11'.repeat(208)}01` }]),
        signal,
      ),
  },
  calls('BLS12 pairings', 'calls bls12 pairing, 30 pairs', 4),
  calls('BLS12 products of 128 points of G2', 'calls bls12 g2 msm, 128 points', 4),
  calls('the largest MODEXP', 'calls modexp, largest', 4),
  transactions('4 transactions that hash, 30 million gas', 'hashes much'),
  transactions('4 transactions that divide, 30 million gas', 'divides'),
  transactions('4 transactions that fill storage, 30 million gas', 'fills storage'),
  transactions('4 transactions of pairings, 30 million gas', 'calls bls12 pairing, 30 pairs'),
  {
    name: 'trace_filter over all blocks',
    prepare: (url) => fillBlocks(url, 100),
    run: (url, signal) => post(url, rpc('trace_filter', [{ fromBlock: '0x0' }]), signal),
  },
  {
    name: 'a struct trace of 30 million gas',
    async prepare(url) {
      traced = await sendOne(url, codeOf('hashes little').code, transactionGas)
    },
    run: (url, signal) => post(url, rpc('debug_traceTransaction', [traced, {}]), signal),
  },
  {
    name: 'a trace by calls of 30 million gas',
    async prepare(url) {
      traced = await sendOne(url, codeOf('calls an empty account in a loop').code, transactionGas)
    },
    run: (url, signal) => post(url, rpc('debug_traceTransaction', [traced, { tracer: 'callTracer' }]), signal),
  },
  {
    name: 'four clients that trace 30 million gas',
    async prepare(url) {
      traced = await sendOne(url, codeOf('hashes little').code, transactionGas)
    },
    run: (url, signal) =>
      Promise.all(
        [1, 2, 3, 4].map((id) =>
          post(url, rpc('debug_traceTransaction', [traced, { tracer: 'callTracer' }], id), signal),
        ),
      ),
  },
  {
    name: 'balances of ever other accounts',
    run: (url, signal) => post(url, callOf(codeOf('reads balances without end')), signal),
  },
  {
    name: '45 answers of 13.6 MB over WebSocket',
    run: (url, signal) => overSocket(url, batchOf(callOf(large), 45), signal),
  },
  {
    name: '1000 answers of 13.6 MB over HTTP',
    run: (url, signal) => post(url, batchOf(callOf(large), 1000), signal),
  },
  {
    name: '1000 queries of logs',
    prepare: fillLogs,
    run: (url, signal) => post(url, batchOf(logs, 1000), signal),
  },
  {
    name: 'batches by many sockets',
    run: (url, signal) => overSockets(url, batchOf(blockRead, 300), signal, 20, 20),
  },
  {
    name: 'batches by many connections',
    run: (url, signal) => overConnections(url, batchOf(blockRead, 300), signal, 60, 4),
  },
  {
    name: 'requests by many sockets',
    run: (url, signal) => overSockets(url, blockRead, signal, 20, 900),
  },
  {
    name: 'queries of logs by many sockets',
    run: (url, signal) => overSockets(url, logs, signal, 20, 20),
    prepare: fillLogs,
  },
  {
    name: '20 fee histories of 1024 blocks',
    async prepare(url) {
      await ask(url, 'evm_setAutomine', [false])
      for (let block = 0; block < 5; block++) {
        const transfer = rpc('eth_sendTransaction', [{ from: sender, to: sender, gas: '0x5208' }])
        await post(url, batchOf(transfer, 1000), AbortSignal.timeout(60_000))
        await ask(url, 'evm_mine', [])
      }
      await ask(url, 'hardhat_mine', ['0x400'])
      await ask(url, 'evm_setAutomine', [true])
    },
    run: (url, signal) => {
      const percentiles = Array.from({ length: 100 }, (_, percentile) => percentile)
      return post(url, batchOf(rpc('eth_feeHistory', ['0x400', 'latest', percentiles]), 20), signal)
    },
  },
  {
    name: 'a simulation of 100 blocks',
    run: (url, signal) =>
      post(
        url,
        rpc('eth_simulateV1', [
          {
            blockStateCalls: Array.from({ length: 100 }, () => ({
              stateOverrides: { [contract]: { code: codeOf('hashes much').code } },
              calls: [{ from: sender, to: contract }],
            })),
          },
          'latest',
        ]),
        signal,
      ),
  },
  {
    name: 'an estimate of an endless loop',
    run: (url, signal) =>
      post(
        url,
        rpc('eth_estimateGas', [
          { from: sender, to: contract },
          'latest',
          { [contract]: { code: codeOf('loops').code } },
        ]),
        signal,
      ),
  },
  {
    name: 'an ABI of 300 kB',
    run: (url, signal) => {
      const inputs = [{ name: '', type: `${'a.'.repeat(150_000)}\n` }]
      const abi = JSON.stringify([{ type: 'function', name: 'f', inputs }])
      return post(url, rpc('dev_addWorkspace', [{ name: 'a', abi }]), signal)
    },
  },
  {
    name: 'an ABI with tuples 2000 deep',
    run: (url, signal) =>
      post(
        url,
        rpc('dev_addFunctionOverride', [{ contractAddress: contract, functionAbi: tuples(2000), returnValues: [] }]),
        signal,
      ),
  },
  {
    name: '70 000 topics',
    run: (url, signal) =>
      post(
        url,
        rpc('eth_getLogs', [
          { topics: [Array.from({ length: 70_000 }, (_, index) => numberToHex(index, { size: 32 }))] },
        ]),
        signal,
      ),
  },
  { name: 'a million empty blocks', run: (url, signal) => post(url, rpc('anvil_mine', ['0xf4240']), signal) },
  {
    name: 'unknown blocks over a million empty ones',
    async prepare(url) {
      await ask(url, 'anvil_mine', ['0xf4240'])
    },
    run: (url, signal) =>
      post(
        url,
        Array.from({ length: 100 }, (_, id) => rpc('eth_getBlockByHash', [generatePrivateKey(), false], id)),
        signal,
      ),
  },
  {
    name: '200 heavy tracked items',
    async prepare(url) {
      await ask(url, 'dev_setCode', [contract, codeOf('hashes much').code])
      for (let item = 0; item < 200; item++)
        await ask(url, 'dev_addTrackedData', [
          {
            address: contract,
            name: `heavy ${item}`,
            type: 'function-result',
            functionAbi: 'function f(uint256) view returns (uint256)',
            functionArgs: `["${item}"]`,
          },
        ])
    },
    run: (url, signal) =>
      post(
        url,
        rpc('eth_sendTransaction', [
          { from: sender, to: contract, data: encodeFunctionData({ abi: parseAbi(['function g()']) }), gas: '0x7530' },
        ]),
        signal,
      ),
  },
]
