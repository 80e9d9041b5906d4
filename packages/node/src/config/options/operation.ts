import { logLevels } from '../../shared/logger.ts'
import { maskUrl } from '../../shared/urls.ts'
import { httpUrl, networkName, oneOf, postgresUrl, text, trueOrFalse, wholeNumber } from '../values.ts'
import { option } from './option.ts'

export const operationOptions = {
  dataDirectory: option<string>({
    secret: false,
    flag: 'data-dir',
    placeholder: 'DIR',
    schema: text('a directory'),
    default: '.understudy',
    defaultText: '.understudy; .understudy/sample for a fork of the sample chain',
    group: 'Operation',
    description: 'Directory that stores the network. A later start with the same directory continues the network.',
  }),
  ephemeral: option<boolean>({
    flag: 'ephemeral',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Operation',
    description:
      'Stores nothing permanently: the network starts empty and ends with the process. Nothing is flushed to the disk, so blocks are sealed faster. There is no data directory, database or audit file.',
  }),
  auditFile: option<string>({
    flag: 'audit-file',
    placeholder: 'FILE',
    schema: text('a file'),
    secret: false,
    defaultText: 'none',
    group: 'Operation',
    description:
      'File to which each entry of the audit log is also written before the call is answered. Each line has the hash of the previous one: `understudy audit verify FILE` detects changes.',
  }),
  databaseUrl: option<string>({
    secret: true,
    flag: 'database-url',
    placeholder: 'URL',
    schema: postgresUrl,
    defaultText: 'none: the data directory',
    show: maskUrl,
    group: 'Operation',
    description:
      'postgres:// URL of a database that stores the network in its own schema, instead of the data directory.',
  }),
  network: option<string>({
    secret: false,
    flag: 'network',
    placeholder: 'NAME',
    schema: networkName,
    default: 'understudy',
    group: 'Operation',
    description:
      'Name of the network in the database, which is also the name of its schema. One database can hold many networks.',
  }),
  nodeUrl: option<string>({
    secret: true,
    flag: 'node-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'where it listens, by the name of the machine',
    show: maskUrl,
    group: 'Operation',
    description:
      'URL at which the other nodes that share the database reach this node. They forward calls that only the sealing node can run to it.',
  }),
  workers: option<number>({
    flag: 'workers',
    placeholder: 'N',
    schema: wholeNumber(0, 64, 'a number of threads'),
    defaultText: 'the number of processor cores minus one',
    group: 'Operation',
    description:
      'Maximum number of threads for traces, for calls, estimates and simulations that take long, and for calls that come at the same time. 0: they share the main thread with everything else, except tracers in JavaScript, which always run in a thread of their own. Threads are started when they are needed, and ended when they are not.',
  }),
  workerMemory: option<number>({
    flag: 'worker-memory',
    placeholder: 'MB',
    schema: wholeNumber(32, 16_384, 'megabytes'),
    default: 2048,
    group: 'Operation',
    description:
      'Maximum size of the JavaScript heap of a worker thread, in MB. Beyond, the thread is replaced, and what it ran fails with -32005.',
  }),
  logLevel: option<(typeof logLevels)[number]>({
    secret: false,
    flag: 'log-level',
    placeholder: 'LEVEL',
    schema: oneOf(logLevels),
    default: 'info',
    group: 'Operation',
    description: `Level of logs on standard error: ${logLevels.join(', ')}.`,
  }),
}
