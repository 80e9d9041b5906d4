import type { Address } from '@understudy/evm'
import { z } from 'zod'
import type { Currency } from '../../../ethereum/chains/profile.ts'
import { quantity } from '../../../shared/hex.ts'
import type {
  AccountChange,
  ApprovalChange,
  AssetChange,
  AssetKind,
  BalanceChange,
  CallOutcome,
  SlotChange,
} from '../../../simulation/outcome/outcome.ts'
import { HexAddress, HexBytes, HexQuantity, HexWord } from '../../codecs/wire.ts'

/** What a call changed, in Tenderly's shapes. Fields of our own are marked; docs/tenderly.md names them. */

const Standard = z.enum(['NativeCurrency', 'ERC20', 'ERC721', 'ERC1155'])

const AssetInfo = z
  .object({
    standard: Standard,
    type: z.enum(['Native', 'Fungible', 'NonFungible']),
    contractAddress: HexAddress.optional(),
    symbol: z.string().optional(),
    name: z.string().optional(),
    decimals: z.number().optional(),
    /** Ours: what is wrong with the token, in words. */
    problems: z.array(z.string()).optional(),
  })
  .meta({ title: 'TenderlyAssetInfo' })

/** By the decimals of the token. */
const Amount = z.string()

const AssetChangeObject = z.object({
  assetInfo: AssetInfo,
  type: z.enum(['Transfer', 'Mint', 'Burn']),
  /** Missing of a mint. */
  from: HexAddress.optional(),
  /** Missing of a burn. */
  to: HexAddress.optional(),
  rawAmount: HexQuantity,
  amount: Amount.optional(),
  /** Ours: of ERC-721 and ERC-1155. */
  tokenId: HexQuantity.optional(),
  /** Ours: true if no event tells of it. */
  inferred: z.boolean().optional(),
  /** Ours: true of minting or burning a token for ether. */
  isWrap: z.boolean().optional(),
})

const BalanceChangeObject = z.object({
  address: HexAddress,
  /** No prices are known here. */
  dollarValue: z.literal('0'),
  /** Indexes into `assetChanges`. */
  transfers: z.array(z.number()),
  /** Ours: what came in and went out of each asset. */
  assets: z.array(
    z.object({
      standard: Standard,
      contractAddress: HexAddress.optional(),
      tokenId: HexQuantity.optional(),
      in: HexQuantity,
      out: HexQuantity,
      /** Of `in` less `out`; it begins with `-` where more went out. */
      net: z.string(),
      amount: Amount.optional(),
    }),
  ),
})

const Changed = z.object({ previousValue: HexQuantity, newValue: HexQuantity })

/** Ours: a variable whose value differs. */
const variableFields = {
  variable: z.string(),
  path: z.string(),
  type: z.string(),
  key: z.array(z.string()),
  decodedPrevious: z.string(),
  decodedNew: z.string(),
}

const StateChangeObject = z.object({
  address: HexAddress,
  nonce: Changed.optional(),
  balance: Changed.optional(),
  code: z.object({ previousValue: HexBytes, newValue: HexBytes }).optional(),
  /** Ours: true if the contract was created or destroyed, which clears its storage. */
  isCleared: z.boolean().optional(),
  storage: z
    .array(
      z.object({
        slot: HexWord,
        previousValue: HexWord,
        newValue: HexWord,
        ...z.object(variableFields).partial().shape,
        /** Ours: all of them, where several share the slot. */
        variables: z.array(z.object(variableFields)).optional(),
      }),
    )
    .optional(),
})

const ExposureChangeObject = z.object({
  assetInfo: AssetInfo,
  type: z.enum(['Approve', 'ApproveAll']),
  owner: HexAddress,
  spender: HexAddress,
  rawAmount: HexQuantity,
  amount: Amount.optional(),
  /** The rest is ours. Missing where it is not known. */
  previousRawAmount: HexQuantity.optional(),
  by: z.enum(['call', 'permit', 'permit2']),
  isUnlimited: z.boolean(),
  tokenId: HexQuantity.optional(),
  /** Seconds since 1970; only of Permit2. */
  expiration: HexQuantity.optional(),
})

/** Each is left out where nothing changed. */
export const TenderlyChanges = z.object({
  assetChanges: z.array(AssetChangeObject).optional(),
  balanceChanges: z.array(BalanceChangeObject).optional(),
  stateChanges: z.array(StateChangeObject).optional(),
  exposureChanges: z.array(ExposureChangeObject).optional(),
})

type Encoded<Schema extends z.ZodType> = z.output<Schema>
type InfoOf = (kind: AssetKind, token: Address | undefined) => Encoded<typeof AssetInfo>

export function encodeTenderlyChanges(outcome: CallOutcome, currency: Currency): Encoded<typeof TenderlyChanges> {
  const infoOf = createInfo(outcome, currency)
  return {
    ...listed('assetChanges', outcome.assetChanges, (change) => encodeAssetChange(change, infoOf)),
    ...listed('balanceChanges', outcome.balanceChanges, encodeBalanceChange),
    ...listed('stateChanges', outcome.stateChanges, encodeStateChange),
    ...listed('exposureChanges', outcome.approvals, (change) => encodeApproval(change, infoOf)),
  }
}

function listed<Name extends string, Change, Shown>(
  name: Name,
  changes: readonly Change[],
  encode: (change: Change) => Shown,
): { [key in Name]?: Shown[] } {
  return changes.length === 0 ? {} : ({ [name]: changes.map(encode) } as { [key in Name]: Shown[] })
}

const standards = { native: 'NativeCurrency', erc20: 'ERC20', erc721: 'ERC721', erc1155: 'ERC1155' } as const
const types = { native: 'Native', erc20: 'Fungible', erc721: 'NonFungible', erc1155: 'NonFungible' } as const

function createInfo({ contracts }: CallOutcome, { name, symbol, decimals }: Currency): InfoOf {
  const tokens = new Map(contracts.map(({ address, token }) => [address, token]))
  return (kind, contractAddress) => {
    const info = { standard: standards[kind], type: types[kind] }
    if (contractAddress === undefined) return { ...info, symbol, name, decimals }
    const token = tokens.get(contractAddress)
    return {
      ...info,
      contractAddress,
      ...given({ symbol: token?.symbol, name: token?.name, decimals: token?.decimals }),
      ...(token && token.problems.length > 0 && { problems: token.problems }),
    }
  }
}

function encodeAssetChange(change: AssetChange, infoOf: InfoOf): Encoded<typeof AssetChangeObject> {
  const { kind, type, token, from, to, amount, formatted, tokenId, inferred, isWrap } = change
  return {
    assetInfo: infoOf(kind, token),
    type: ({ transfer: 'Transfer', mint: 'Mint', burn: 'Burn' } as const)[type],
    ...given({ from, to }),
    rawAmount: quantity(amount),
    ...given({ amount: formatted, tokenId: quantityOf(tokenId) }),
    ...(inferred && { inferred }),
    ...(isWrap && { isWrap }),
  }
}

function encodeBalanceChange({ address, transfers, assets }: BalanceChange): Encoded<typeof BalanceChangeObject> {
  return {
    address,
    dollarValue: '0',
    transfers,
    assets: assets.map(({ kind, token, tokenId, in: received, out, net, formatted }) => ({
      standard: standards[kind],
      ...given({ contractAddress: token, tokenId: quantityOf(tokenId) }),
      in: quantity(received),
      out: quantity(out),
      net: net < 0n ? `-${quantity(-net)}` : quantity(net),
      ...given({ amount: formatted }),
    })),
  }
}

function encodeStateChange(change: AccountChange): Encoded<typeof StateChangeObject> {
  const { address, nonce, balance, code, isCleared, storage } = change
  const changed = (value: { before: bigint; after: bigint }) => ({
    previousValue: quantity(value.before),
    newValue: quantity(value.after),
  })
  return {
    address,
    ...(nonce && { nonce: changed(nonce) }),
    ...(balance && { balance: changed(balance) }),
    ...(code && { code: { previousValue: code.before, newValue: code.after } }),
    ...(isCleared && { isCleared }),
    ...listed('storage', storage, encodeSlot),
  }
}

function encodeSlot({ slot, before, after, variables }: SlotChange) {
  const decoded = variables.map(({ variable, path, type, keys, before: previous, after: next }) => ({
    variable,
    path,
    type,
    key: keys,
    decodedPrevious: previous,
    decodedNew: next,
  }))
  return {
    slot,
    previousValue: before,
    newValue: after,
    ...decoded[0],
    ...(decoded.length > 1 && { variables: decoded }),
  }
}

function encodeApproval(change: ApprovalChange, infoOf: InfoOf): Encoded<typeof ExposureChangeObject> {
  const { kind, type, token, owner, spender, amount, formatted, before, by, isUnlimited, tokenId, expiration } = change
  return {
    assetInfo: infoOf(kind, token),
    type: type === 'approve' ? 'Approve' : 'ApproveAll',
    owner,
    spender,
    rawAmount: quantity(amount),
    ...given({ amount: formatted, previousRawAmount: quantityOf(before) }),
    by,
    isUnlimited,
    ...given({ tokenId: quantityOf(tokenId), expiration: quantityOf(expiration) }),
  }
}

const quantityOf = (value: bigint | undefined) => (value === undefined ? undefined : quantity(value))

/** Without the fields that are `undefined`. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
