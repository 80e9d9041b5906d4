/** Examples of blocks, transactions, receipts and logs for the reference: a transfer of ether and one of a token. */

const blockHash = '0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6'
const hash = '0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784'
const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']
const zeroWord = `0x${'0'.repeat(64)}`
const emptyBloom = `0x${'0'.repeat(512)}`
const position = { blockHash, blockNumber: '0x1', transactionIndex: '0x0' }

export const exampleTransaction = {
  type: '0x2',
  hash,
  ...position,
  blockTimestamp: '0x6b0191ea',
  from,
  to,
  nonce: '0x0',
  gas: '0x5208',
  value: '0xde0b6b3a7640000',
  input: '0x',
  gasPrice: '0x6fc23ac0',
  maxFeePerGas: '0xa3e9ab80',
  maxPriorityFeePerGas: '0x3b9aca00',
  chainId: '0x7a69',
  accessList: [],
  v: '0x1',
  yParity: '0x1',
  r: '0xb133aa1a53e32ed551ba8063395580141fad61f3f390613b5b07a1eb504a33c4',
  s: '0x2d16c21394cac9512570d800714f621077ce7f0ffa8990b53f3e07bb8a8c70f9',
}

const { blockHash: _, blockNumber, transactionIndex, blockTimestamp, ...signed } = exampleTransaction
/** Before it is sent, the price is the maximum that it pays. */
export const exampleSignedTransaction = { ...signed, gasPrice: signed.maxFeePerGas }
const { hash: _hash, v, yParity, r, s, ...unsigned } = exampleSignedTransaction
export const exampleUnsignedTransaction = unsigned

export const exampleOpcodeGas = {
  transactionHash: hash,
  opcodeGas: [{ opcode: 'SSTORE', count: 1, gasUsed: 22_100 }],
}

export const exampleReceipt = {
  type: '0x2',
  status: '0x1',
  transactionHash: hash,
  ...position,
  from,
  to,
  contractAddress: null,
  cumulativeGasUsed: '0x5208',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x6fc23ac0',
  logs: [],
  logsBloom: emptyBloom,
}

export const exampleBlock = {
  hash: blockHash,
  parentHash: '0x8860618bebf5aeee83db75d15627ebc6e942d6c7b3ac3c9cf380f51fb314f8a0',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
  stateRoot: '0x64cfb09e82817949b5747e7a1fb4cf0cded0b98801491a46873cc8969b8b7e74',
  transactionsRoot: '0x82c36d0b8c5007abb2c0876922b3244a5cd5a04baf695d2a59c4de23f37de245',
  receiptsRoot: '0xf78dfb743fbd92ade140711c8bbc542b5e307f0ab7984eff35d751969fe57efa',
  logsBloom: emptyBloom,
  difficulty: '0x0',
  number: '0x1',
  gasLimit: '0x1c9c380',
  gasUsed: '0x5208',
  timestamp: '0x6b0191ea',
  extraData: '0x',
  mixHash: '0x57d339cf20a2020f5cd8553e733be49604035ebdf816b5d79189e7ad2d4c2cf5',
  nonce: '0x0000000000000000',
  baseFeePerGas: '0x342770c0',
  withdrawalsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  withdrawals: [],
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: zeroWord,
  requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  size: '0x2e4',
  uncles: [],
  transactions: [hash],
}

const { size, uncles, withdrawals, transactions, ...header } = exampleBlock
export const exampleHeader = header

export const exampleLog = {
  address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  topics: [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    `0x${'0'.repeat(24)}${from.slice(2)}`,
    `0x${'0'.repeat(24)}${to.slice(2)}`,
  ],
  data: '0x0000000000000000000000000000000000000000000000000de0b6b3a7640000',
  ...position,
  blockTimestamp: '0x6b0191ea',
  transactionHash: hash,
  logIndex: '0x0',
  removed: false,
}

const token = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const transferred = {
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  args: [
    { name: 'dst', type: 'address', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    { name: 'wad', type: 'uint256', value: '1000000000000000000' },
  ],
}

/** For dev_decodeTransaction: a token transfer. */
export const exampleDecodedTransaction = {
  hash,
  status: 'success',
  blockNumber: 23_000_001,
  from,
  to: token,
  contractAddress: null,
  contract: 'WETH9',
  function: transferred,
  value: '0',
  gasUsed: '51534',
  revert: null,
  frameTransaction: null,
  calls: [
    {
      depth: 0,
      type: 'CALL',
      from,
      to: token,
      contract: 'WETH9',
      function: transferred,
      value: '0',
      gas: '30330',
      gasUsed: '29874',
      input: `0xa9059cbb${'0'.repeat(24)}${to.slice(2)}0000000000000000000000000000000000000000000000000de0b6b3a7640000`,
      inputSize: 68,
      output: `0x${'0'.repeat(63)}1`,
      outputSize: 32,
      returned: [{ name: '', type: 'bool', value: 'true' }],
      outcome: 'succeeded',
      halt: null,
      revert: null,
    },
  ],
  events: [
    {
      logIndex: 0,
      address: token,
      contract: 'WETH9',
      event: {
        name: 'Transfer',
        signature: 'Transfer(address,address,uint256)',
        args: [
          { name: 'src', type: 'address', value: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
          { name: 'dst', type: 'address', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
          { name: 'wad', type: 'uint256', value: '1000000000000000000' },
        ],
      },
      topics: exampleLog.topics,
      data: exampleLog.data,
    },
  ],
  transfers: [{ kind: 'erc20', token, from, to, tokenId: null, amount: '1000000000000000000' }],
}
export const exampleCallTrace = {
  type: 'CALL',
  from,
  to,
  value: '0xde0b6b3a7640000',
  gas: '0x5208',
  gasUsed: '0x5208',
  input: '0x',
}

const unsealedTrace = {
  type: 'call',
  action: { callType: 'call', from, gas: '0x0', input: '0x', to, value: '0xde0b6b3a7640000' },
  result: { gasUsed: '0x0', output: '0x' },
  subtraces: 0,
  traceAddress: [],
}

export const exampleTrace = {
  ...unsealedTrace,
  blockHash,
  blockNumber: 1,
  transactionHash: hash,
  transactionPosition: 0,
}

export const exampleTraceResults = { output: '0x', stateDiff: null, trace: [unsealedTrace], vmTrace: null }

export const examplePendingTransaction = {
  ...exampleTransaction,
  blockHash: null,
  blockNumber: null,
  blockTimestamp: null,
  transactionIndex: null,
}

export const exampleProof = {
  address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  accountProof: ['0xf90211…'],
  balance: '0x0',
  codeHash: '0xd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23',
  nonce: '0x1',
  storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  storageProof: [],
}

export const exampleDetailedBlock = { ...exampleHeader, size, uncles, withdrawals, transactionCount: 1 }

export const exampleDebugPosition = {
  step: 118,
  reason: 'step',
  pc: 402,
  opcode: 'SLOAD',
  depth: 0,
  gas: 78_412,
  cost: 2100,
  error: null,
  message: null,
  stack: [
    {
      file: 'src/Counter.sol',
      line: 9,
      function: 'Counter.increment',
      contract: 'Counter',
      address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      call: 0,
      arguments: [{ name: 'by', type: 'uint256', value: '3' }],
    },
  ],
  operations: [{ step: 118, pc: 402, opcode: 'SLOAD', gas: 78_412, depth: 0 }],
  machine: {
    stack: ['0xd09de08a', '0x3', '0x0'],
    memory: { data: '0x', size: 0 },
    calldata: { data: '0xd09de08a', size: 4 },
    returnData: { data: '0x', size: 0 },
  },
  writes: [],
}

const operationSender = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const entryPoint = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'

export const exampleUserOperation = {
  sender: operationSender,
  nonce: '0x0',
  callData: '0x',
  callGasLimit: '0x1388',
  verificationGasLimit: '0xea60',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  signature: '0x',
}

export const exampleOperationParams = [exampleUserOperation, entryPoint]
export const exampleOperationHash = '0x1c835ae5ecb1bb5a9c1ff1ccd0f1b3c1cf3ef5c05e7b35f4cbf4aa1ed2bdff1f'

export const exampleSentOperation = {
  userOperation: exampleUserOperation,
  entryPoint,
  transactionHash: hash,
  blockHash: position.blockHash,
  blockNumber: position.blockNumber,
}

export const exampleOperationReceipt = {
  userOpHash: exampleOperationHash,
  entryPoint,
  sender: operationSender,
  nonce: '0x0',
  paymaster: null,
  actualGasCost: '0x3b9aca00',
  actualGasUsed: '0x13880',
  success: true,
  logs: [],
  receipt: exampleReceipt,
}

export const exampleBundleId = `0x00${hash.slice(2)}`
