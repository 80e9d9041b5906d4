import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createEvm, useCompiledEngine } from '@understudy/evm'
import { Turns } from '../execution/turns.ts'
import { OverrideIndex } from '../overrides/overrideIndex.ts'
import { systemClock } from '../shared/clock.ts'
import type { FromThread, NowRequest, ThreadData, ToThread, Values } from './messages.ts'
import { ThreadRuns } from './threadRuns.ts'

// The thread of a worker: runs messages and makes traces of them, on state that the main thread has.

const port = parentPort as MessagePort
const { modules, answers, nowPort } = workerData as ThreadData
useCompiledEngine(modules)
/** Little: what one run needs can be asked for without beginning again. */
const maxChecksWhileMissing = 40

const answered = new Int32Array(answers)

const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer)

function askNow(request: NowRequest): Values {
  const before = Atomics.load(answered, 0)
  nowPort.postMessage(request)
  Atomics.wait(answered, 0, before)
  const received = receiveMessageOnPort(nowPort)
  if (!received) throw new Error('The main thread did not answer')
  return received.message as Values
}

const createEngine = () => createEvm({ maxChecksWhileMissing })

const runs = new ThreadRuns({
  engine: new Turns({ main: undefined, createLane: createEngine, clock: systemClock }),
  createEngine,
  send,
  askNow,
})

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'run':
      return runs.begin(message.request)
    case 'block':
      return runs.setBlock(message.block)
    case 'output':
      return send({ type: 'output', id: message.request.id, output: runs.output(message.request) })
    case 'cancel':
      return runs.cancel(message.id)
    case 'values':
      return runs.receive(message.id, message.values)
    case 'overrides': {
      const index = new OverrideIndex()
      for (const replacement of message.replacements) index.set(replacement)
      return runs.setOverrides(index.table)
    }
    case 'advance':
      return runs.advance(message.from, message.to, message.diff)
    case 'ping':
      return send({ type: 'pong' })
  }
})
