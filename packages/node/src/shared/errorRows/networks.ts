/** The rows of `errorTable` about the networks of a process that serves several. */
export const networkErrors = {
  SERVES_ONE_NETWORK: {
    code: -32004,
    message: 'this process serves one network only. Start a server of several networks with `understudy serve`',
  },
  HOSTED_NETWORK_NOT_FOUND: {
    code: -32001,
    message: 'no network is named {name}: dev_getNetworks lists the existing ones',
  },
  HOSTED_NETWORK_EXISTS: {
    code: -32004,
    message: 'there is already a network with the name {name}: choose another name',
  },
  CANNOT_REMOVE_FROM_WITHIN: {
    code: -32004,
    message:
      'the network {name} cannot be removed by a call at its own URL: call dev_removeNetwork at the root of the server',
  },
  HOSTED_NETWORK_NOT_REMOVABLE: {
    code: -32004,
    message: 'the network {name} is defined in the configuration file: remove it there, then restart the server',
  },
  HOSTED_NETWORK_UNAVAILABLE: {
    code: -32002,
    message: 'the network {name} could not be opened: {problem}. The next request tries to open it again',
  },
  HOSTED_NETWORK_NOT_CREATED: {
    code: -32002,
    message: 'the network {name} was not created, because it could not be opened: {problem}',
  },
  AWAKE_NETWORK_LIMIT_EXCEEDED: {
    code: -32005,
    message:
      'limit exceeded: {limit} networks are in use, the most that "awake-limit" allows. Try again later, or raise the limit',
  },
  HOSTED_NETWORK_LIMIT_EXCEEDED: {
    code: -32005,
    message:
      'limit exceeded: there are {limit} networks, the most that "network-limit" allows. Remove some, or raise the limit',
  },
  KEY_NETWORK_QUOTA_EXCEEDED: {
    code: -32005,
    message: 'network quota exceeded: this key has {limit} networks, the most that it may have. Remove one of them',
  },
  KEY_DISK_QUOTA_EXCEEDED: {
    code: -32005,
    message:
      'disk quota exceeded: the networks of this key use {used} MB of {limit} MB, so they store nothing more. Remove one of them',
  },
} as const

/** The rows of `errorTable` about branches of a network. */
export const branchErrors = {
  BRANCH_NOT_FOUND: { code: -32001, message: 'no branch is named {branch}: dev_getBranches lists the existing ones' },
  BRANCH_CLOSED: {
    code: -32002,
    message: 'the branch {branch} was closed, because its network is stopping or reopening: send the request again',
  },
  BRANCH_EXISTS: { code: -32004, message: 'there is already a branch with the name {name}: choose another name' },
  BRANCH_DISK_LIMIT_EXCEEDED: {
    code: -32005,
    message:
      'limit exceeded: the branch has written {limit} MB, the most that --branch-disk-limit allows. Promote it, or create another branch',
  },
} as const
