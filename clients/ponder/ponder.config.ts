import { createConfig } from 'ponder'
import { parseAbi } from 'viem'

export default createConfig({
  chains: { forked: { id: 31337, rpc: process.env.NETWORK_URL, pollingInterval: 200, disableCache: true } },
  contracts: {
    Events: {
      abi: parseAbi(['event Plain(uint256 value)']),
      chain: 'forked',
      // The first contract of the first funded account of anvil.
      address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      startBlock: 0,
    },
  },
})
