import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const SourcesObject = z
  .object({
    address: HexAddress,
    name: z.string().nullable(),
    /** `verified` and `import` come from the user, others name the explorer. */
    origin: z.string(),
    compiler: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), content: z.string() })),
  })
  .meta({ title: 'ContractSources' })

export const getContractSources = defineMethod({
  name: 'dev_getContractSources',
  summary:
    "Returns the sources of a contract, and of a proxy's implementation: verified here, imported, or published on a block explorer.",
  role: 'read',
  isSlow: true,
  params: { address: Address },
  result: z.array(SourcesObject),
  fields: {
    address: 'The contract.',
  },
  example: {
    params: ['0x5fbdb2315678afecb367f032d93f642f64180aa3'],
    result: [
      {
        address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        name: 'Counter',
        origin: 'import',
        compiler: null,
        files: [{ path: 'src/Counter.sol', content: 'contract Counter { uint256 public number; }' }],
      },
    ],
  },
  async handler({ sources }, { address }) {
    const found = await sources.load(address)
    return found.map(({ name, compiler, ...rest }) => ({ ...rest, name: name ?? null, compiler: compiler ?? null }))
  },
})
