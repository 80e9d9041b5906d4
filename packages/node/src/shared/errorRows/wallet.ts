/** The rows of `errorTable` about wallets, with the codes of EIP-1193, EIP-3085, EIP-3326 and EIP-5792. */
export const walletErrors = {
  WALLET_CHAIN_UNKNOWN: {
    code: 4902,
    message:
      'unrecognized chain {chainId}: the wallet of this network supports chain {own} only. For another chain, connect the page to the wallet of a network with that chain id',
  },
  WALLET_CAPABILITY_UNSUPPORTED: {
    code: 5700,
    message: 'unsupported capability {capability}: mark it as optional, or leave it out',
  },
  WALLET_CHAIN_UNSUPPORTED: {
    code: 5710,
    message: 'unsupported chain {chainId}: the chain id of the network is {own}',
  },
  WALLET_CALLS_DUPLICATE: { code: 5720, message: 'there is already a bundle with the id {id}: choose another' },
  WALLET_CALLS_UNKNOWN: {
    code: 5730,
    message:
      'unknown bundle {id}: use an id that wallet_sendCalls returned. Ids that a page chose itself are forgotten when the network restarts',
  },
  WALLET_CALLS_TOO_LARGE: {
    code: 5740,
    message: 'a bundle of {count} calls is too large: send at most {limit} at a time',
  },
  WALLET_ATOMICITY_UNSUPPORTED: {
    code: 5760,
    message:
      'the account {address} cannot run several calls atomically: it has code, or the fork of the network is older than Prague. Pass atomicRequired: false, or another account',
  },
  WALLET_REQUEST_NOT_FOUND: {
    code: -32001,
    message: 'no wallet request has the id {id}: it was answered or has expired. Send it again from the page',
  },
} as const
