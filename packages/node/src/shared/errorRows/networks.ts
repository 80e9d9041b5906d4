/** The rows of `errorTable` about the networks of a process that serves several. */
export const networkErrors = {
  NETWORKS_NOT_SERVED: {
    code: -32004,
    message: 'this process serves one network, without others beside it: start several with `understudy serve`',
  },
  HOSTED_NETWORK_NOT_FOUND: { code: -32001, message: 'no network is named {name}: dev_getNetworks lists them' },
  HOSTED_NETWORK_EXISTS: { code: -32004, message: 'a network is named {name} already: choose another name' },
  HOSTED_NETWORK_ASKED_ITSELF: {
    code: -32004,
    message:
      'the network {name} cannot be removed by a call at its own URL: call dev_removeNetwork at the root of the server',
  },
  HOSTED_NETWORK_NOT_REMOVABLE: {
    code: -32004,
    message: 'the network {name} is in the configuration file: take it out there, and start the server again',
  },
  HOSTED_NETWORK_NOT_OPENED: {
    code: -32002,
    message: 'the network {name} could not be opened: {problem}. The next request tries it again',
  },
  HOSTED_NETWORK_NOT_MADE: {
    code: -32002,
    message: 'the network {name} was not made, because it could not be opened: {problem}',
  },
  HOSTED_NETWORKS_BUSY: {
    code: -32005,
    message: 'limit exceeded: {limit} networks are in use, and "awake" allows no more; try again later',
  },
  HOSTED_NETWORK_LIMIT: {
    code: -32005,
    message: 'limit exceeded: there are {limit} networks, which is all that "network-limit" allows; remove some',
  },
  KEY_NETWORKS_SPENT: {
    code: -32005,
    message: 'limit exceeded: your key has made {limit} networks, which is all that it may have; remove some',
  },
  KEY_DISK_SPENT: {
    code: -32005,
    message:
      'limit exceeded: the networks of your key take {used} MB of {limit} MB, so nothing more is stored; remove some of them',
  },
} as const
