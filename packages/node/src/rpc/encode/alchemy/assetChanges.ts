import { z } from 'zod'
import { zeroAddress } from '../../../ethereum/constants.ts'
import { quantity } from '../../../shared/hex.ts'
import type {
  ApprovalChange,
  AssetChange,
  AssetKind,
  CallOutcome,
  TouchedToken,
} from '../../../simulation/outcome/outcome.ts'
import { HexAddress, HexQuantity } from '../../codecs/wire.ts'

/** What a call moved and approved, as in Alchemy's API. */
export const AlchemyAssetChanges = z
  .object({
    changes: z.array(
      z.object({
        assetType: z.enum(['NATIVE', 'ERC20', 'ERC721', 'ERC1155']),
        changeType: z.enum(['TRANSFER', 'APPROVE']),
        from: HexAddress,
        to: HexAddress,
        rawAmount: z.string().nullable(),
        amount: z.string().nullable(),
        contractAddress: HexAddress.nullable(),
        tokenId: z.string().nullable(),
        decimals: z.number().nullable(),
        symbol: z.string().nullable(),
        name: z.string().nullable(),
        logo: z.null(),
      }),
    ),
    gasUsed: HexQuantity.nullable(),
    error: z.object({ message: z.string() }).nullable(),
  })
  .meta({ title: 'AlchemyAssetChanges' })

type Change = z.output<typeof AlchemyAssetChanges>['changes'][number]
type Currency = { name: string; symbol: string; decimals: number }
type Metadata = Pick<Change, 'decimals' | 'symbol' | 'name' | 'logo'>
/** What is known of the token at an address; of ether, if there is none. */
type MetadataOf = (token: Change['contractAddress'] | undefined) => Metadata

/** Transfers come first, in their order, then approvals. Nothing has changed where the call failed. */
export function encodeAlchemyAssetChanges(
  { status, gasUsed, error, assetChanges, approvals, contracts }: CallOutcome,
  currency: Currency,
): z.output<typeof AlchemyAssetChanges> {
  if (status === 'failed') return { changes: [], gasUsed: null, error: { message: alchemyError(error) ?? 'failed' } }
  const tokens = new Map(contracts.map(({ address, token }) => [address, token]))
  const ether: Metadata = { decimals: currency.decimals, symbol: currency.symbol, name: currency.name, logo: null }
  const metadataOf: MetadataOf = (token) => (token ? metadataOfToken(tokens.get(token)) : ether)
  return {
    changes: [
      ...assetChanges.map((change) => transferOf(change, metadataOf)),
      ...approvals.map((change) => approvalOf(change, metadataOf)),
    ],
    gasUsed: quantity(gasUsed),
    error: null,
  }
}

/** Why a call failed, with its reason; `undefined` if it succeeded. */
export function alchemyError(error: CallOutcome['error']): string | undefined {
  if (!error) return undefined
  return error.reason === undefined ? error.message : `${error.message}: ${error.reason}`
}

function metadataOfToken(token: TouchedToken | undefined): Metadata {
  const { decimals = null, symbol = null, name = null } = token ?? {}
  return { decimals, symbol, name, logo: null }
}

const typeOf = (kind: AssetKind) => kind.toUpperCase() as Change['assetType']

/** A mint comes from the zero address, a burn goes there. */
function transferOf({ kind, token, from, to, amount, formatted, tokenId }: AssetChange, of: MetadataOf): Change {
  return {
    assetType: typeOf(kind),
    changeType: 'TRANSFER',
    from: from ?? zeroAddress,
    to: to ?? zeroAddress,
    rawAmount: amount.toString(),
    amount: formatted ?? (kind === 'erc20' ? null : amount.toString()),
    contractAddress: token ?? null,
    tokenId: tokenId?.toString() ?? null,
    ...of(token),
  }
}

/** An approval of every token has no id, one of every amount no amount; 0 is one that was taken back. */
function approvalOf(change: ApprovalChange, of: MetadataOf): Change {
  const { kind, type, token, owner, spender, amount, formatted, tokenId } = change
  const isOfAll = type === 'approveAll' && amount > 0n
  const isOfToken = kind === 'erc721' && type === 'approve' && amount > 0n
  return {
    assetType: typeOf(kind),
    changeType: 'APPROVE',
    from: owner,
    to: spender,
    rawAmount: isOfAll || isOfToken ? null : amount.toString(),
    amount: isOfAll || isOfToken ? null : (formatted ?? (kind === 'erc20' ? null : amount.toString())),
    contractAddress: token,
    tokenId: tokenId?.toString() ?? null,
    ...of(token),
  }
}
