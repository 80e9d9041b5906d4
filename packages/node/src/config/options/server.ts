import {
  type ApiKey,
  apiKeys,
  defaultSocketPath,
  listOf,
  serverUrl,
  socketPath,
  text,
  trueOrFalse,
  wholeNumber,
} from '../values.ts'
import { option } from './option.ts'

const anyHost = /^[\w.:[\]-]+$/

export const serverOptions = {
  host: option<string>({
    secret: false,
    flag: 'host',
    placeholder: 'HOST',
    schema: text('a host name or an IP address', anyHost),
    default: '127.0.0.1',
    group: 'Server',
    description:
      'Address to listen on. Addresses other than loopback need an --api-key (or --insecure), because anyone who can reach the network controls it.',
  }),
  port: option<number>({
    flag: 'port',
    placeholder: 'PORT',
    schema: wholeNumber(0, 65_535, 'a port'),
    default: 8545,
    group: 'Server',
    description: 'Port to listen on; 0 selects a free one.',
  }),
  publicUrl: option<string>({
    secret: false,
    flag: 'public-url',
    placeholder: 'URL',
    schema: serverUrl,
    defaultText: 'where it listens; in answers of the REST interface, the address that the request named',
    group: 'Server',
    description:
      'URL by which clients reach the server from outside, such as that of a proxy with TLS in front of it. Addresses in answers begin with it: those of branches, of the networks of `understudy serve`, and of the REST interface of Tenderly, one of whose clients takes only https.',
  }),
  ipc: option<string>({
    secret: false,
    flag: 'ipc',
    placeholder: 'PATH',
    preset: defaultSocketPath,
    schema: socketPath,
    defaultText: `none; ${defaultSocketPath} without a path`,
    group: 'Server',
    description:
      'Serves JSON-RPC with subscriptions on a local socket at this path, too. Only the user of the process can open it, and has the role admin there.',
  }),
  allowedHosts: option<string[]>({
    secret: false,
    flag: 'allowed-host',
    placeholder: 'HOST',
    repeatable: true,
    schema: listOf('host names', (item) => (anyHost.test(item) ? item.toLowerCase() : undefined)),
    default: [],
    defaultText: 'localhost, loopback addresses and --host',
    show: (hosts) => hosts.join(', '),
    group: 'Server',
    description:
      'Additional host name by which clients may address the server. To prevent DNS rebinding, other names are refused on loopback, and everywhere once this option is set.',
  }),
  allowedOrigins: option<string[]>({
    secret: false,
    flag: 'allowed-origin',
    placeholder: 'ORIGIN',
    repeatable: true,
    schema: listOf('origins such as https://app.example, or *', (item) =>
      /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i.test(item) ? item.toLowerCase() : undefined,
    ),
    default: [],
    defaultText: 'pages of this machine',
    show: (origins) => origins.join(', '),
    group: 'Server',
    description:
      'Additional origin whose web pages may use the network; * for any. Pages of localhost and loopback addresses, and its own, are always allowed.',
  }),
  apiKeys: option<ApiKey[]>({
    secret: true,
    flag: 'api-key',
    environment: 'UNDERSTUDY_API_KEYS',
    placeholder: 'KEY:ROLE',
    repeatable: true,
    schema: apiKeys,
    default: [],
    defaultText: 'none: anyone who can reach the server has all roles',
    show: (keys) => keys.map(({ role }) => `***:${role}`).join(', '),
    group: 'Server',
    description:
      'An API key that callers must send, and its role: read, write (send and sign transactions) or admin (change the network).',
  }),
  insecure: option<boolean>({
    flag: 'insecure',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Server',
    description: 'Allows a --host that other machines can reach without an API key.',
  }),
}
