import { availableParallelism } from 'node:os'

// V8 compiles on four threads. On up to four cores they compete with requests and clients: with one thread less than there
// are cores, what a test suite asks first takes two thirds of the time. Only a new process can have another number, so this
// one starts again in its place. Node.js 20 and Windows cannot; `npm start` and Docker name the option themselves.
const option = '--v8-pool-size'
const usualThreads = 4

if (
  process.execve &&
  process.platform !== 'win32' &&
  availableParallelism() <= usualThreads &&
  !process.execArgv.some((argument) => argument.startsWith(option)) &&
  !process.channel
)
  process.execve(process.execPath, [process.execPath, `${option}=0`, ...process.execArgv, ...process.argv.slice(1)])
