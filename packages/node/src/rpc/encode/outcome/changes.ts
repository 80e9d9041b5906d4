import { z } from 'zod'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'

/** A whole number that may be negative. */
const SignedDecimal = z.string().regex(/^-?\d+$/)

const AssetKind = z.enum(['native', 'erc20', 'erc721', 'erc1155'])

const AssetChange = z
  .object({
    kind: AssetKind,
    /** A mint has no `from`, a burn no `to`. */
    type: z.enum(['transfer', 'mint', 'burn']),
    /** null for ether. */
    token: HexAddress.nullable(),
    from: HexAddress.nullable(),
    to: HexAddress.nullable(),
    /** In the smallest unit; 1 for an ERC-721. */
    amount: DecimalString,
    /** By the token's decimals. */
    formatted: z.string().nullable(),
    tokenId: DecimalString.nullable(),
    /** Minting or burning a token for ether. */
    isWrap: z.boolean(),
    /** No event or call tells of it: it is what a balance changed by beyond those. */
    inferred: z.boolean(),
    /** An index into `frames`. */
    frame: z.number().nullable(),
  })
  .meta({ title: 'AssetChange' })

export const AssetTotalObject = z
  .object({
    kind: AssetKind,
    token: HexAddress.nullable(),
    tokenId: DecimalString.nullable(),
    in: DecimalString,
    out: DecimalString,
    net: SignedDecimal,
    /** `net` by the token's decimals. */
    formatted: z.string().nullable(),
  })
  .meta({ title: 'AssetTotal' })

const ApprovalChange = z
  .object({
    kind: z.enum(['erc20', 'erc721', 'erc1155']),
    /** `approveAll`: for all tokens of the owner. */
    type: z.enum(['approve', 'approveAll']),
    by: z.enum(['call', 'permit', 'permit2']),
    token: HexAddress,
    owner: HexAddress,
    spender: HexAddress,
    /** What could be spent before; null if that is not known. */
    before: DecimalString.nullable(),
    amount: DecimalString,
    formatted: z.string().nullable(),
    isUnlimited: z.boolean(),
    tokenId: DecimalString.nullable(),
    /** Seconds since 1970; only of Permit2. */
    expiration: DecimalString.nullable(),
  })
  .meta({ title: 'ApprovalChange' })

const change = <Value extends z.ZodType>(value: Value) => z.object({ before: value, after: value }).nullable()

const AccountChange = z
  .object({
    address: HexAddress,
    nonce: change(DecimalString),
    balance: change(DecimalString),
    code: change(HexBytes),
    /** Its storage was cleared before it was written. */
    isCleared: z.boolean(),
    storage: z.array(
      z.object({
        slot: HexWord,
        before: HexWord,
        after: HexWord,
        /** The variables in it that differ. Empty where no layout is known. */
        variables: z.array(
          z.object({
            /** `balances[0x…]`, `users[3].name`. */
            path: z.string(),
            variable: z.string(),
            variableType: z.string(),
            keys: z.array(z.string()),
            type: z.string(),
            offset: z.number(),
            bytes: z.number(),
            before: z.string(),
            after: z.string(),
          }),
        ),
      }),
    ),
  })
  .meta({ title: 'OutcomeAccountChange' })

/** What a call moved, approved and changed. */
export const changeFields = {
  /** Every move of an asset, in order. */
  assetChanges: z.array(AssetChange),
  approvals: z.array(ApprovalChange),
  /** Empty if nothing changed. */
  stateChanges: z.array(AccountChange),
}
