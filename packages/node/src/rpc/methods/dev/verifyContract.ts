import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const exampleAddress = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

export const verifyContract = defineMethod({
  name: 'dev_verifyContract',
  summary:
    'Compiles sources and compares them with the code at an address, as explorers do. If they match, the contract is known by its name, ABI, sources and storage layout. Returns once it is done: `match` is `exact_match` if the metadata is the same, too; otherwise, `problem` says why there is none, and `failedAt` at which step.',
  role: 'admin',
  isImport: true,
  isSlow: true,
  params: {
    claim: z.strictObject({
      address: Address,
      contract: z.string().max(1000, { error: 'has more than 1000 characters' }),
      compilerVersion: z.string().max(100, { error: 'has more than 100 characters' }),
      input: z.looseObject({
        language: z.literal('Solidity', { error: 'expected "Solidity"' }),
        sources: z.record(z.string(), z.looseObject({ content: z.string({ error: 'expected the text of a file' }) })),
        settings: z.record(z.string(), z.unknown()).optional(),
      }),
    }),
  },
  result: z.object({
    address: HexAddress,
    match: z.enum(['exact_match', 'match']).nullable(),
    failedAt: z.enum(['claim', 'compilation', 'comparison']).nullable(),
    problem: z.string().nullable(),
  }),
  fields: {
    address: 'The contract.',
    contract: 'Its file and name: `src/Counter.sol:Counter`.',
    compilerVersion: 'The version of solc: `0.8.30`, with or without its commit.',
    input: "The compiler's standard JSON.",
  },
  example: {
    params: [
      {
        address: exampleAddress,
        contract: 'src/Counter.sol:Counter',
        compilerVersion: '0.8.30',
        input: {
          language: 'Solidity',
          sources: { 'src/Counter.sol': { content: 'contract Counter { uint256 public number; }' } },
          settings: { optimizer: { enabled: true, runs: 200 } },
        },
      },
    ],
    result: { address: exampleAddress, match: 'exact_match', failedAt: null, problem: null },
  },
  async handler({ verifications }, { claim }) {
    const { id, address } = await verifications.submit(claim)
    let job = await verifications.job(id)
    while (job?.state === 'pending') job = await verifications.job(id)
    const failed = job?.state === 'failed' ? job : undefined
    return {
      address,
      match: job?.state === 'verified' ? job.match : null,
      failedAt: failed?.step ?? null,
      problem: failed?.problem ?? null,
    }
  },
})
