import { runSubject } from '../../codecs/calls/runs.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeGasProfile, GasProfileObject } from '../../encode/runs/gasProfile.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

const location = {
  file: 'src/Counter.sol',
  line: 9,
  function: 'Counter.increment',
  contract: 'Counter',
  address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
} as const

export const getGasProfile = defineMethod({
  name: 'dev_getGasProfile',
  summary:
    'Returns where the gas of a transaction went, or of a call on the state of a block: by line of imported contracts, without what it calls, and by path of calls. `intrinsic`, plus the gas of all lines and `others`, minus `refund`, is `gasUsed`; so it is with the own gas of all calls.',
  role: 'read',
  isSlow: true,
  params: runSubject,
  result: GasProfileObject,
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash],
    result: {
      gasUsed: 43_700,
      intrinsic: 21_204,
      refund: 0,
      refundEarned: 0,
      lines: [
        {
          ...location,
          gas: 22_496,
          refund: 0,
          memoryGas: 3,
          accesses: { cold: { accounts: 0, slots: 1, gas: 2100 }, warm: { accounts: 0, slots: 1, gas: 0 } },
        },
      ],
      others: 0,
      calls: [
        {
          ...location,
          function: null,
          file: null,
          line: null,
          parent: null,
          type: 'CALL',
          calls: 1,
          gas: 120,
          total: 22_496,
          memory: { bytes: 96, gas: 9 },
        },
        { ...location, line: 8, parent: 0, type: 'FUNCTION', calls: 1, gas: 22_376, total: 22_376, memory: null },
      ],
      cold: [{ ...location, account: location.address, slot: `0x${'0'.repeat(64)}` }],
    },
  },
  async handler({ traces, gasProfiles }, { subject, block }) {
    return encodeGasProfile(await gasProfiles.of(await traces.runSubject(subject, block)))
  },
})
