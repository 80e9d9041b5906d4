import { z } from 'zod'
import { WalletCalls } from '../../codecs/calls/walletCalls.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sendErrors } from '../../errorGroups.ts'
import { exampleBundleId } from '../../examples.ts'

export const sendCalls = defineMethod({
  name: 'wallet_sendCalls',
  summary:
    'Sends several calls of a funded or impersonated account (EIP-5792): in one transaction if all or none must take effect, else one by one.',
  role: 'write',
  params: { bundle: WalletCalls },
  result: z.object({ id: z.string() }),
  errors: [
    'WALLET_CAPABILITY_UNSUPPORTED',
    'WALLET_CHAIN_UNSUPPORTED',
    'WALLET_CALLS_TOO_LARGE',
    'WALLET_CALLS_DUPLICATE',
    'WALLET_ATOMICITY_UNSUPPORTED',
    ...sendErrors,
  ],
  example: {
    params: [
      {
        version: '2.0.0',
        chainId: '0x7a69',
        from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        atomicRequired: true,
        calls: [
          { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '0x1' },
          { to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', value: '0x1' },
        ],
      },
    ],
    result: { id: exampleBundleId },
  },
  handler: async ({ walletCalls }, { bundle }) => ({ id: await walletCalls.send(bundle) }),
})
